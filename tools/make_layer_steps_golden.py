#!/usr/bin/env python3
"""PyTorch's numbers for tests/nn/layer_steps_test.cc: prints tests/nn/layer_steps_golden.h, or with --misuse
tests/nn/layer_misuse_golden.txt. Needs PyTorch 2.

For every layer: its value, the gradients of its input and of its parameters, its value after a step of SGD, and that in eval mode, each
as one number: the sum of cos(1), cos(2), ... times the elements. Inputs and parameters are waves, in float64.
--misuse: what it says to inputs of other shapes: the shape of its result, PyTorch's sentence, or "error" where wick refuses in words of
LibTorch's C++ or of its own.
"""
import math
import re
import sys
import warnings

import torch
import torch.nn as nn

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)


def wave(*shape, step=0.7, first=0.2, height=1.5):
    return ((torch.arange(math.prod(shape)) * step + first).sin() * height).view(shape)


def classes(n, count):
    return torch.arange(n) % count


def signs(*shape):
    return torch.where(wave(*shape, step=1.1) > 0, 1.0, -1.0)


def measure(x):
    return (x.reshape(-1) * torch.arange(1, x.numel() + 1).cos()).sum()


def first(y):
    return y[0] if isinstance(y, tuple) else y


MISUSE = "--misuse" in sys.argv
# Where wick's words are LibTorch's C++ or its own; and where it takes what PyTorch refuses or the other way round: an unbatched image to
# unfold, which LibTorch's C++ refuses, and batches of nothing.
OTHER_WORDS = {
    "more": "Conv2d reflected, Conv2d circular, AvgPool2d, LPPool2d, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, "
        "ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, Softmax2d, Upsample, Unfold, Fold, RNN, LSTM, GRU, RNNCell, "
        "LSTMCell, GRUCell, MultiheadAttention, TransformerEncoderLayer, TransformerDecoderLayer, Transformer, MultiMarginLoss, "
        "MultiLabelMarginLoss, CTCLoss",
    "last": "Transformer",
    "empty": "Transformer, CTCLoss, Conv2d reflected, MaxPool1d, MaxPool3d, AvgPool3d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, "
        "AdaptiveMaxPool3d, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d, ReplicationPad2d, "
        "ReplicationPad3d, GroupNorm, Upsample, Unfold, Fold, MultiMarginLoss, MultiLabelMarginLoss, CosineEmbeddingLoss",
    "channels": "InstanceNorm1d, InstanceNorm3d",
    "less": "LocalResponseNorm, EmbeddingBag, MultiMarginLoss",
}
OTHER_VIEW = {
    "empty": "BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm3d, EmbeddingBag",
    "less": "Unfold",
}


def listed(where, name, tag):
    return name in where.get(tag, "").split(", ")


def sentence(error):
    return re.sub(r"^(addmm|mm): ", "", re.sub(r"torch\.Size\((\[[^\]]*\])\)", r"\1", str(error).split("\n")[0])).rstrip()


def misuse(name, shape, layer, forward, integers):
    shapes = {"more": [2, *shape, 2], "less": shape[1:], "last": [*shape[:-1], shape[-1] + 1], "empty": [0] * len(shape)}
    if len(shape) > 1:
        shapes["channels"] = [shape[0], shape[1] + 1, *shape[2:]]
    for tag, wrong in shapes.items():
        if listed(OTHER_VIEW, name, tag):
            continue
        x = classes(math.prod(wrong), integers).view(*wrong) if integers else wave(*wrong)
        try:
            result = "OK " + str(list(first(forward(layer, x)).shape))
        except Exception as error:
            result = "error" if listed(OTHER_WORDS, name, tag) else sentence(error)
        print("%s|%s|%s" % (name, tag, result))


def case(name, shape, layer, forward=lambda m, x: m(x), integers=None):
    for k, p in enumerate(layer.parameters()):
        p.data = wave(*p.shape, step=0.9, first=k + 0.3, height=0.4)
    if MISUSE:
        return misuse(name, shape, layer, forward, integers)
    x = classes(math.prod(shape), integers).view(*shape) if integers else wave(*shape).requires_grad_()
    y = measure(first(forward(layer, x)))
    if y.requires_grad:
        y.backward()
    dx = 0.0 if integers or x.grad is None else measure(x.grad).item()
    dp = sum((k + 1) * measure(p.grad).item() for k, p in enumerate(layer.parameters()))
    for p in layer.parameters():
        p.data -= 0.1 * p.grad
    with torch.no_grad():
        after = measure(first(forward(layer, x))).item()
        layer.eval()
        last = measure(first(forward(layer, x))).item()
    print('    {"%s", {%s}},' % (name, ", ".join("%.12g" % v for v in (y.item(), dx, dp, after, last))))


if not MISUSE:
    print("// Written by tools/make_layer_steps_golden.py.")
    print("#pragma once\n\nnamespace wick::test {\n")
    print("struct LayerSteps {\n  const char* name;\n  double numbers[5];  // value, gradients of input and parameters, value after a step, in eval mode\n};\n")
    print("inline constexpr LayerSteps kLayerSteps[] = {")
case("Linear", (4, 3), nn.Linear(3, 2))
case("Linear without bias", (4, 3), nn.Linear(3, 2, bias=False))
case("Bilinear", (4, 3), nn.Bilinear(3, 3, 2), lambda m, x: m(x, x * 0.5 + 1))
case("Identity", (2, 3), nn.Identity())
case("Flatten", (2, 3, 2), nn.Flatten())
case("Unflatten", (2, 6), nn.Unflatten(1, (2, 3)))
case("Conv1d", (2, 4, 9), nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2))
case("Conv2d", (2, 2, 5, 6), nn.Conv2d(2, 3, (3, 2), padding=1))
case("Conv2d reflected", (1, 2, 5, 5), nn.Conv2d(2, 2, 3, padding="same", padding_mode="reflect"))
case("Conv2d circular", (1, 2, 5, 5), nn.Conv2d(2, 2, 3, padding=1, padding_mode="circular", bias=False))
case("Conv2d depthwise", (2, 3, 5, 5), nn.Conv2d(3, 3, 3, groups=3))
case("Conv3d", (1, 2, 3, 4, 4), nn.Conv3d(2, 2, 2, stride=(1, 2, 1)))
case("ConvTranspose1d", (2, 4, 5), nn.ConvTranspose1d(4, 2, 3, stride=2, padding=1, output_padding=1, groups=2))
case("ConvTranspose2d", (1, 2, 3, 4), nn.ConvTranspose2d(2, 3, 3, stride=2, dilation=2))
case("ConvTranspose3d", (1, 2, 2, 3, 2), nn.ConvTranspose3d(2, 2, 2, stride=2, bias=False))
case("MaxPool1d", (2, 2, 7), nn.MaxPool1d(3, stride=2))
case("MaxPool2d", (1, 2, 5, 6), nn.MaxPool2d((2, 3), padding=1, ceil_mode=True))
case("MaxPool3d", (1, 1, 4, 4, 4), nn.MaxPool3d(2, dilation=2, stride=1))
case("AvgPool1d", (2, 2, 7), nn.AvgPool1d(3, stride=2, padding=1))
case("AvgPool2d", (1, 2, 5, 6), nn.AvgPool2d(2, padding=1, count_include_pad=False))
case("AvgPool3d", (1, 1, 4, 4, 5), nn.AvgPool3d((2, 2, 3), divisor_override=5))
case("AdaptiveAvgPool1d", (1, 2, 7), nn.AdaptiveAvgPool1d(3))
case("AdaptiveAvgPool2d", (1, 2, 5, 7), nn.AdaptiveAvgPool2d((2, 3)))
case("AdaptiveAvgPool3d", (1, 1, 5, 4, 3), nn.AdaptiveAvgPool3d((2, 3, 2)))
case("AdaptiveMaxPool1d", (1, 2, 7), nn.AdaptiveMaxPool1d(3))
case("AdaptiveMaxPool2d", (1, 2, 5, 7), nn.AdaptiveMaxPool2d((2, 3)))
case("AdaptiveMaxPool3d", (1, 1, 5, 4, 3), nn.AdaptiveMaxPool3d((2, 3, 2)))
case("LPPool1d", (1, 2, 7), nn.LPPool1d(2, 3, stride=2))
case("LPPool2d", (1, 2, 5, 4), nn.LPPool2d(2, 2))
case("ReflectionPad1d", (1, 2, 4), nn.ReflectionPad1d((2, 1)))
case("ReflectionPad2d", (1, 1, 3, 4), nn.ReflectionPad2d((2, 1, 1, 2)))
case("ReflectionPad3d", (1, 1, 3, 3, 3), nn.ReflectionPad3d(1))
case("ReplicationPad1d", (1, 2, 4), nn.ReplicationPad1d((2, 1)))
case("ReplicationPad2d", (1, 1, 3, 4), nn.ReplicationPad2d((2, 1, 1, 2)))
case("ReplicationPad3d", (1, 1, 2, 3, 3), nn.ReplicationPad3d(1))
case("ZeroPad2d", (1, 1, 3, 4), nn.ZeroPad2d((2, 1, 1, 2)))
case("ConstantPad1d", (1, 2, 4), nn.ConstantPad1d((2, 1), 1.5))
case("ConstantPad2d", (1, 1, 3, 4), nn.ConstantPad2d((2, 1, 1, 2), -0.5))
case("ConstantPad3d", (1, 1, 2, 3, 3), nn.ConstantPad3d(1, 2.0))
case("BatchNorm1d", (4, 3), nn.BatchNorm1d(3))
case("BatchNorm2d", (2, 3, 2, 2), nn.BatchNorm2d(3, momentum=0.3))
case("BatchNorm3d", (2, 2, 2, 2, 2), nn.BatchNorm3d(2, affine=False))
case("InstanceNorm1d", (2, 3, 5), nn.InstanceNorm1d(3, affine=True, track_running_stats=True))
case("InstanceNorm2d", (2, 3, 2, 3), nn.InstanceNorm2d(3))
case("InstanceNorm3d", (1, 2, 2, 2, 2), nn.InstanceNorm3d(2, affine=True))
case("LayerNorm", (2, 3, 4), nn.LayerNorm([3, 4]))
case("GroupNorm", (2, 4, 3), nn.GroupNorm(2, 4))
case("LocalResponseNorm", (1, 5, 3), nn.LocalResponseNorm(3, alpha=0.5, beta=0.6, k=2.0))
case("ELU", (2, 5), nn.ELU(0.7))
case("SELU", (2, 5), nn.SELU())
case("CELU", (2, 5), nn.CELU(0.7))
case("GELU", (2, 5), nn.GELU())
case("GELU tanh", (2, 5), nn.GELU(approximate="tanh"))
case("GLU", (2, 6), nn.GLU())
case("Hardshrink", (2, 5), nn.Hardshrink(0.4))
case("Hardtanh", (2, 5), nn.Hardtanh(-0.6, 0.8))
case("LeakyReLU", (2, 5), nn.LeakyReLU(0.1))
case("LogSigmoid", (2, 5), nn.LogSigmoid())
case("LogSoftmax", (2, 5), nn.LogSoftmax(1))
case("Mish", (2, 5), nn.Mish())
case("PReLU", (2, 3, 2), nn.PReLU(3))
case("ReLU", (2, 5), nn.ReLU())
case("ReLU6", (2, 5), nn.ReLU6(), lambda m, x: m(x * 5))
case("SiLU", (2, 5), nn.SiLU())
case("Sigmoid", (2, 5), nn.Sigmoid())
case("Softmax", (2, 5), nn.Softmax(1))
case("Softmax2d", (1, 3, 2, 2), nn.Softmax2d())
case("Softmin", (2, 5), nn.Softmin(1))
case("Softplus", (2, 5), nn.Softplus(2, 1.5))
case("Softshrink", (2, 5), nn.Softshrink(0.3))
case("Softsign", (2, 5), nn.Softsign())
case("Tanh", (2, 5), nn.Tanh())
case("Tanhshrink", (2, 5), nn.Tanhshrink())
case("Threshold", (2, 5), nn.Threshold(0.1, 0.5))
case("Upsample", (1, 2, 3, 4), nn.Upsample(scale_factor=2.0, mode="bilinear", align_corners=True))
case("PixelShuffle", (1, 8, 2, 3), nn.PixelShuffle(2))
case("PixelUnshuffle", (1, 2, 4, 6), nn.PixelUnshuffle(2))
case("Unfold", (1, 2, 4, 5), nn.Unfold((2, 3), padding=1, stride=2))
case("Fold", (1, 8, 6), nn.Fold((3, 4), (2, 2)))
case("Embedding", (2, 3), nn.Embedding(5, 3), integers=5)
case("EmbeddingBag", (2, 3), nn.EmbeddingBag(5, 3, mode="sum"), integers=5)
case("RNN", (3, 2, 4), nn.RNN(4, 3, num_layers=2))
case("LSTM", (3, 2, 4), nn.LSTM(4, 3, bidirectional=True))
case("GRU", (3, 2, 4), nn.GRU(4, 3, batch_first=True))
case("RNNCell", (2, 4), nn.RNNCell(4, 3))
case("LSTMCell", (2, 4), nn.LSTMCell(4, 3))
case("GRUCell", (2, 4), nn.GRUCell(4, 3))
case("MultiheadAttention", (3, 2, 4), nn.MultiheadAttention(4, 2), lambda m, x: m(x, x, x))
case("TransformerEncoderLayer", (3, 2, 4), nn.TransformerEncoderLayer(4, 2, 5, 0.0, "gelu"))
case("TransformerDecoderLayer", (3, 2, 4), nn.TransformerDecoderLayer(4, 2, 5, 0.0), lambda m, x: m(x, x * 0.5 + 1))
case("Transformer", (3, 2, 4), nn.Transformer(4, 2, 2, 2, 5, 0.0), lambda m, x: m(x, x.flip(0) * 0.5 + 1))
case("CosineSimilarity", (3, 4), nn.CosineSimilarity(), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("PairwiseDistance", (3, 4), nn.PairwiseDistance(3), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("L1Loss", (3, 4), nn.L1Loss(reduction="sum"), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("MSELoss", (3, 4), nn.MSELoss(), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("SmoothL1Loss", (3, 4), nn.SmoothL1Loss(beta=0.5), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("HuberLoss", (3, 4), nn.HuberLoss(delta=0.5), lambda m, x: m(x, wave(3, 4, step=0.4)))
case("BCELoss", (3, 4), nn.BCELoss(), lambda m, x: m(x.sigmoid(), wave(3, 4, step=0.4).sigmoid()))
case("BCEWithLogitsLoss", (3, 4), nn.BCEWithLogitsLoss(), lambda m, x: m(x, wave(3, 4, step=0.4).sigmoid()))
case("CrossEntropyLoss", (4, 3), nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]), ignore_index=1, label_smoothing=0.1), lambda m, x: m(x, classes(4, 3)))
case("NLLLoss", (4, 3), nn.NLLLoss(), lambda m, x: m(x.log_softmax(1), classes(4, 3)))
case("KLDivLoss", (3, 4), nn.KLDivLoss(reduction="batchmean"), lambda m, x: m(x.log_softmax(1), wave(3, 4, step=0.4).softmax(1)))
case("PoissonNLLLoss", (3, 4), nn.PoissonNLLLoss(full=True), lambda m, x: m(x, wave(3, 4, step=0.4).exp()))
case("SoftMarginLoss", (3, 4), nn.SoftMarginLoss(), lambda m, x: m(x, signs(3, 4)))
case("HingeEmbeddingLoss", (3, 4), nn.HingeEmbeddingLoss(0.7), lambda m, x: m(x, signs(3, 4)))
case("MultiMarginLoss", (4, 3), nn.MultiMarginLoss(), lambda m, x: m(x, classes(4, 3)))
case("MultiLabelMarginLoss", (2, 4), nn.MultiLabelMarginLoss(), lambda m, x: m(x, torch.tensor([[2, 0, -1, 1], [3, -1, 0, 0]])))
case("MultiLabelSoftMarginLoss", (3, 4), nn.MultiLabelSoftMarginLoss(), lambda m, x: m(x, (signs(3, 4) + 1) / 2))
case("CosineEmbeddingLoss", (3, 4), nn.CosineEmbeddingLoss(0.2), lambda m, x: m(x, wave(3, 4, step=0.4), signs(3)))
case("MarginRankingLoss", (6,), nn.MarginRankingLoss(0.3), lambda m, x: m(x, wave(6, step=0.4), signs(6)))
case("TripletMarginLoss", (3, 4), nn.TripletMarginLoss(), lambda m, x: m(x, wave(3, 4, step=0.4), wave(3, 4, step=1.1)))
case("CTCLoss", (5, 2, 4), nn.CTCLoss(), lambda m, x: m(x.log_softmax(2), torch.tensor([[1, 2, 3], [3, 3, 1]]), torch.tensor([5, 4]), torch.tensor([3, 2])))
if not MISUSE:
    print("};\n\n}  // namespace wick::test")
