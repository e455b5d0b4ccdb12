#!/usr/bin/env python3
"""The Python side of examples/iris_predict: a network that PyTorch has trained, and the way back.

usage: iris_weights.py write FOLDER   trains the network of examples/iris_mlp.cc in PyTorch (seed 8) and writes iris_torch.safetensors, which
                                      iris_predict reads, and iris_torch.txt, PyTorch's own predictions for the 30 test flowers
                                      (tests/examples/files)
       iris_weights.py check FILE     loads what `iris_mlp --save FILE` wrote into the same network in PyTorch and prints the
                                      predictions for the test flowers, in the form of iris_predict; the two agree to about 1e-6
"""
import sys

if __name__ == "__main__" and (len(sys.argv) != 3 or sys.argv[1] not in ("write", "check")):
    asked = sys.argv[1:] in (["-h"], ["--help"])
    print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
    sys.exit(0 if asked else 2)

# Below the usage, which needs none of them.
import torch
from safetensors.torch import load_file, safe_open, save_file
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler


class MLP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = torch.nn.Linear(4, 10)
        self.fc2 = torch.nn.Linear(10, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def print_predictions(model, scale, shift, x, classes, file):
    with torch.no_grad():
        scores = model((torch.from_numpy(x) * scale + shift).float())
    for row, p in zip(x, scores.double().softmax(1)):
        print(" ".join(f"{v:g}" for v in row), classes[p.argmax()], *(f"{v:.6f}" for v in p), file=file)


def write(folder):
    iris = load_iris()
    x_train, x_test, y_train, _ = train_test_split(iris.data, iris.target, test_size=0.2, random_state=42)
    scaler = MinMaxScaler().fit(x_train)
    x, y = torch.from_numpy(scaler.transform(x_train)).float(), torch.from_numpy(y_train).long()
    torch.set_num_threads(1)
    torch.manual_seed(8)
    model = MLP()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(20000):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")
    scale, shift = torch.from_numpy(scaler.scale_), torch.from_numpy(scaler.min_)
    save_file({**model.state_dict(), "scaler.scale": scale, "scaler.shift": shift}, f"{folder}/iris_torch.safetensors",
              metadata={"classes": "".join(name + "\n" for name in iris.target_names)})
    with open(f"{folder}/iris_torch.txt", "w") as file:
        print_predictions(model, scale, shift, x_test, iris.target_names, file)


def check(path):
    state = load_file(path)
    scale, shift = state.pop("scaler.scale"), state.pop("scaler.shift")
    model = MLP()
    model.load_state_dict(state)
    with safe_open(path, "pt") as file:
        classes = file.metadata()["classes"].split("\n")
    iris = load_iris()
    x_test = train_test_split(iris.data, iris.target, test_size=0.2, random_state=42)[1]
    print_predictions(model, scale, shift, x_test, classes, sys.stdout)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
