// stb_image and stb_image_write, whose code is compiled in stb.cc.
#pragma once

#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_WRITE_NO_STDIO

#include "stb/stb_image.h"
#include "stb/stb_image_write.h"
