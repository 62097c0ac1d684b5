// Large filters by way of spectra: to correlate images is to multiply their Fourier transforms.
#pragma once

#include "kernels/filter/correlate.h"

namespace penstock {

/// Whether that takes less time than adding up what lies under the weights other than 0, and is precise enough: for
/// bytes and stencils that do not make much more of them. A spectrum has only so many digits for all of its image.
bool spectra_are_quicker(const Volume& made, const Stencil& stencil);

/// The same as `correlate` for bytes, made of bytes. Before it is rounded, a sum is off by about 1e-6 of the largest
/// there may be.
void correlate_spectra(View out, const Volume& made, ConstView in, const Volume& volume, const Stencil& stencil,
                       const Surroundings& around, Scratch& scratch);

}  // namespace penstock
