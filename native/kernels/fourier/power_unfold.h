// Squared magnitudes of a real signal from the transform of its even and odd elements as real and imaginary parts.
#pragma once

#include "cpu/vectorize.h"
#include "kernels/fourier/fft_stages.h"

namespace penstock {

/// Those of bins k and n - k, `low` and `high`, from elements k and n - k of a transform of length n. `Number` is a
/// float or a vector of them.
template <typename Number>
PENSTOCK_INLINE inline void unfold(Number& low, Number& high, const Number& near_re, const Number& near_im,
                                   const Number& far_re, const Number& far_im, Twiddle twiddle) {
  const Number even_re = near_re + far_re, even_im = near_im - far_im;
  const Number odd_re = near_im + far_im, odd_im = far_re - near_re;
  const Number turned_re = odd_re * twiddle.re - odd_im * twiddle.im,
               turned_im = odd_re * twiddle.im + odd_im * twiddle.re;
  const Number sum_re = even_re + turned_re, sum_im = even_im + turned_im;
  const Number gap_re = even_re - turned_re, gap_im = even_im - turned_im;
  low = 0.25F * (sum_re * sum_re + sum_im * sum_im);
  high = 0.25F * (gap_re * gap_re + gap_im * gap_im);
}

}  // namespace penstock
