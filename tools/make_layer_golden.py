#!/usr/bin/env python3
"""PyTorch's numbers for tests/nn/composed_layers_test.cc: prints tests/nn/composed_layers_golden.h. Needs PyTorch 2."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def numbers(x):
    return "{" + ", ".join("%d" % v if v.is_integer() else "%.9gf" % v for v in x.detach().double().flatten().tolist()) + "}"


def out(name, t, grads=()):
    print('    {"%s", %s, {%s}},' % (name, numbers(t), ", ".join(numbers(g) for g in grads)))


def run(name, f, *xs):
    """f's value, and the gradients of sum cos(i) y[i - 1]."""
    xs = [x.clone().requires_grad_() for x in xs]
    y = f(*xs)
    (y * torch.arange(1, y.numel() + 1).view(y.shape).float().cos()).sum().backward()
    out(name, y, [x.grad for x in xs])


def wave(*s):
    return (torch.arange(math.prod(s)).float() * 0.7).sin().view(*s)


print("// Written by tools/make_layer_golden.py: PyTorch's values and gradients.")
print("#pragma once\n\n#include <vector>\n\nnamespace wick::test {\n")
print("struct Golden {\n  const char* name;\n  std::vector<float> y;\n  std::vector<std::vector<float>> grads;\n};\n")
print("inline const Golden kGolden[] = {")

x34=wave(2,3)
run("multi_margin", lambda x: F.multi_margin_loss(x, torch.tensor([2,0]), reduction='none'), x34)
run("multi_margin2", lambda x: F.multi_margin_loss(x, torch.tensor([2,0]), p=2, margin=.5, weight=torch.tensor([1.,2,3])), x34)
run("ml_margin", lambda x: F.multilabel_margin_loss(x, torch.tensor([[2,0,-1],[1,-1,0]]), reduction='none'), x34)
run("ml_soft", lambda x: F.multilabel_soft_margin_loss(x, torch.tensor([[1.,0,1],[0,1,0]]), weight=torch.tensor([1.,2,3])), x34)
run("triplet_d", lambda a: F.triplet_margin_with_distance_loss(a, a.flip(0), a*0.5+1, swap=True, reduction='none'), x34)
lp=wave(5,2,4)
run("ctc", lambda x: F.ctc_loss(F.log_softmax(x,2), torch.tensor([[1,2,2],[3,1,0]]), torch.tensor([5,4]), torch.tensor([3,2]), reduction='none'), lp)
run("ctc_mean", lambda x: F.ctc_loss(F.log_softmax(x,2), torch.tensor([1,2,2,3]), torch.tensor([5,1]), torch.tensor([3,1])), lp)
out("ctc_zero", F.ctc_loss(F.log_softmax(lp,2), torch.tensor([[1,2,2],[3,1,2]]), torch.tensor([5,2]), torch.tensor([3,3]), reduction='none',zero_infinity=True))
x1=wave(1,1,4)
x2=wave(1,1,3,4)
x3=wave(1,1,2,2,3)
run("near", lambda x: F.interpolate(x, size=(5,3)), x2)
run("exact", lambda x: F.interpolate(x, size=(5,3), mode='nearest-exact'), x2)
run("linear", lambda x: F.interpolate(x, scale_factor=1.7, mode='linear', align_corners=False), x1)
run("bilinear", lambda x: F.interpolate(x, size=(4,5), mode='bilinear', align_corners=False), x2)
run("bilinear_ac", lambda x: F.interpolate(x, size=(2,6), mode='bilinear', align_corners=True), x2)
run("bicubic", lambda x: F.interpolate(x, size=(4,3), mode='bicubic', align_corners=False), x2)
run("bicubic_ac", lambda x: F.interpolate(x, size=(2,5), mode='bicubic', align_corners=True), x2)
run("trilinear", lambda x: F.interpolate(x, size=(2,3,2), mode='trilinear', align_corners=False), x3)
run("area", lambda x: F.interpolate(x, size=(2,3), mode='area'), x2)
run("bil_aa", lambda x: F.interpolate(x, size=(2,2), mode='bilinear', antialias=True, align_corners=False), wave(1,1,5,6))
run("bic_aa", lambda x: F.interpolate(x, size=(2,3), mode='bicubic', antialias=True, align_corners=False), wave(1,1,5,7))
th=torch.tensor([[[0.9,0.3,0.1],[-0.2,1.1,-0.4]]])
run("affine", lambda t: F.affine_grid(t,(1,1,2,3),align_corners=False), th)
run("affine_ac", lambda t: F.affine_grid(t,(1,1,2,2),align_corners=True), th)
g=wave(1,2,3,2)*1.3
for m in ('bilinear','nearest'):
  for p in ('zeros','border','reflection'):
    for ac in (False,True):
      if m=='nearest' and ac: continue
      run("grid_%s_%s_%d"%(m,p,ac), lambda x,gg: F.grid_sample(x,gg,mode=m,padding_mode=p,align_corners=ac), x2, g)
run("grid3", lambda x,gg: F.grid_sample(x,gg,align_corners=False), x3, wave(1,1,2,2,3)*0.9)
run("unfold", lambda x: F.unfold(x,(2,2),dilation=(1,2),padding=(1,0),stride=(2,1)), x2)
run("fold", lambda x: F.fold(x,(3,3),(2,2),padding=1,stride=2), wave(1,4,4))
run("lp1", lambda x: F.lp_pool1d(x,2,3,2), wave(1,1,7))
run("lp2", lambda x: F.lp_pool2d(x.abs()+.1,3,(2,1)), x2)
v,i=F.max_pool2d(wave(1,1,4,4),2,return_indices=True)
run("unpool", lambda x: F.max_unpool2d(x,i,2), v)
s=torch.tensor([[[0.3,0.8]]])
run("frac2", lambda x: F.fractional_max_pool2d(x,(2,3),output_size=(3,2),_random_samples=s), wave(1,1,6,7))
out("frac2_i", F.fractional_max_pool2d(wave(1,1,6,7),(2,3),output_size=(3,2),_random_samples=s,return_indices=True)[1])
s3=torch.tensor([[[0.3,0.8,.1]]])
out("frac3_i", F.fractional_max_pool3d(wave(1,1,4,4,5),2,output_size=(2,2,3),_random_samples=s3,return_indices=True)[1])
run("lrn", lambda x: F.local_response_norm(x,4,alpha=.5,beta=.6,k=2), wave(1,5,2))
for c,name in ((nn.Dropout2d,'d2'),(nn.Dropout3d,'d3'),(nn.AlphaDropout,'a'),(nn.FeatureAlphaDropout,'fa')):
    torch.manual_seed(0); out(name, c(0.4)(torch.ones(2,3,1,1,2) if name!='d2' else torch.ones(2,3,1,2)))
torch.manual_seed(0)
eb=nn.EmbeddingBag(5,2,mode='sum',padding_idx=1)
out("eb_w",eb.weight)
idx=torch.tensor([0,1,2,4,4])
off=torch.tensor([0,2,2])
for m in ('sum','mean','max'):
    run("eb_"+m, lambda w: F.embedding_bag(idx,w,off,mode=m), wave(5,2))
run("eb_psw", lambda w,p: F.embedding_bag(idx,w,off,mode='sum',per_sample_weights=p), wave(5,2), wave(5))
run("eb_2d", lambda w: F.embedding_bag(torch.tensor([[0,1],[3,3]]),w,mode='mean',padding_idx=1), wave(5,2))
run("eb_last", lambda w: F.embedding_bag(idx,w,torch.tensor([0,2,5]),mode='sum',include_last_offset=True), wave(5,2))
torch.manual_seed(0)
a=nn.AdaptiveLogSoftmaxWithLoss(8,10,[3,6],div_value=2.)
x=wave(3,8).requires_grad_()
o=a(x,torch.tensor([1,4,9]))
out("ada",o.output)
out("ada_loss", torch.tensor(o.loss.item()))
o.loss.backward()
out("ada_g",x.grad[1])
out("ada_lp",a.log_prob(x)[0])
out("ada_predict", a.predict(x))

print("};\n\n}  // namespace wick::test")
