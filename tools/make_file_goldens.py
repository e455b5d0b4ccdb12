#!/usr/bin/env python3
"""The other side of wick's files: PyTorch, safetensors and NumPy.

usage: make_file_goldens.py write FOLDER   writes the files that the tests read (tests/framework/io/files)
       make_file_goldens.py check FOLDER   reads wick.pt, wick.safetensors, wick.npy and wick.npz, which the tests compare with what wick
                                           writes; they come from a test that is run with WICK_WRITE_FILES=FOLDER
"""
import io
import sys
import warnings

import numpy as np
import safetensors.torch
import torch

DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64, torch.bool,
          torch.bfloat16]


def numbered(module):
    """Gives every tensor of the module values that a test can name: 0.25, 0.5, ... counted over the tensor."""
    with torch.no_grad():
        for tensor in module.state_dict().values():
            tensor.copy_((torch.arange(tensor.numel()) + 1).reshape(tensor.shape) * (0.25 if tensor.is_floating_point() else 1))
    return module


def write(folder):
    model = numbered(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)))
    torch.save(model.state_dict(), f"{folder}/state_dict.pt")
    x = torch.arange(6.0).reshape(2, 3)
    torch.save({
        "x": x, "t": x.t(), "column": x[:, 1], "parameter": torch.nn.Parameter(x.half()), "list": [1, 2.5, None, True, "text", (7,)],
        "nested": {"state": {0: {"step": torch.tensor(3.0)}}}, "big": 2**40, "negative": -(2**40), "dtype": torch.float32,
        "size": x.shape, "device": torch.device("cpu"), "empty": torch.empty(0, 3),
        **{str(dtype): torch.arange(4).to(dtype) for dtype in DTYPES},
    }, f"{folder}/values.pt")
    linear = numbered(torch.nn.Linear(2, 1))
    adam = torch.optim.Adam(linear.parameters(), lr=0.5)
    for _ in range(2):
        adam.zero_grad()
        linear(torch.ones(1, 2)).sum().backward()
        adam.step()
    torch.save({"model": linear.state_dict(), "optimizer": adam.state_dict()}, f"{folder}/checkpoint.pt")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.save(torch.jit.script(model), f"{folder}/script.pt")
    torch.save({"x": torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64), "y": torch.tensor([[0.5j]], dtype=torch.complex128)},
               f"{folder}/complex.pt")
    torch.save({"x": torch.ones(1, dtype=torch.complex32)}, f"{folder}/complex32.pt")
    safetensors.torch.save_file({str(dtype).removeprefix("torch."): torch.arange(6).reshape(2, 3).to(dtype) for dtype in DTYPES},
                                f"{folder}/dtypes.safetensors", {"format": "pt"})
    a = np.arange(6).reshape(2, 3)
    np.save(f"{folder}/fortran.npy", np.asfortranarray(a.astype("f4")))
    np.save(f"{folder}/big_endian.npy", a.astype(">i4"))
    np.save(f"{folder}/objects.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
    np.savez_compressed(f"{folder}/arrays.npz", scalar=np.float64(2.5), empty=np.zeros((0, 3), "u1"), half=a.astype("f2"), flags=a > 2)


def check(folder):
    values = torch.load(f"{folder}/wick.pt", weights_only=True)
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(values["x"], x) and torch.equal(values["t"], x.t()) and values["t"].stride() == (1, 3)
    assert values["x"].untyped_storage().data_ptr() == values["t"].untyped_storage().data_ptr()
    assert values["list"] == [1, 2.5, None, True, "text", (7,)] and values["big"] == 2**40 and values[3] == "three"
    assert values["leaf"].requires_grad and values["empty"].shape == (0, 3)
    tensors = safetensors.torch.load_file(f"{folder}/wick.safetensors")
    arrays = dict(np.load(f"{folder}/wick.npz"))
    for dtype in DTYPES:
        name = str(dtype).removeprefix("torch.")
        expected = torch.arange(4).to(dtype)
        assert torch.equal(values[name], expected) and values[name].dtype == dtype, name
        assert torch.equal(tensors[name], expected) and tensors[name].dtype == dtype, name
        if dtype != torch.bfloat16:
            assert (arrays[name] == expected.numpy()).all() and arrays[name].dtype == expected.numpy().dtype, name
    assert (np.load(f"{folder}/wick.npy") == x.numpy()).all()
    with safetensors.safe_open(f"{folder}/wick.safetensors", "pt") as file:
        assert file.metadata() == {"by": "wick"}
    print("all as it should be")


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])
