// Steps that put random noise into samples.
#include "kernels/random/noise.h"

#include "bind/convert.h"
#include "bind/kernels/random_call.h"
#include "kernels/elements/convert.h"
#include "kernels/random/noise_step.h"
#include "memory/per_sample.h"

namespace penstock {
namespace {

Noise make_gaussian(const RandomCall& draw, const Values<float>& mean, const Values<float>& stddev) {
  return Noise(draw.first, draw.second,
               [mean = PerSample(to_vector(mean)), stddev = PerSample(to_vector(stddev))](
                   size_t i, View out, ConstView in, const Philox& sequence) {
                 add_normal_noise(out, in, sequence, mean[i], stddev[i]);
               });
}

Noise make_salt_and_pepper(const RandomCall& draw, const Values<float>& probability, const Values<float>& salt_share,
                           const Values<float>& salt, const Values<float>& pepper, int channel_axis) {
  return Noise(
      draw.first, draw.second,
      [probability = PerSample(to_vector(probability)), salt_share = PerSample(to_vector(salt_share)),
       salt = PerSample(to_vector(salt)), pepper = PerSample(to_vector(pepper)),
       channel_axis](size_t i, View out, ConstView in, const Philox& sequence) {
        std::byte salt_value[8], pepper_value[8];
        put_clamped(salt_value, in.dtype, salt[i]);
        put_clamped(pepper_value, in.dtype, pepper[i]);
        add_salt_and_pepper(out, in, sequence, {probability[i], salt_share[i], salt_value, pepper_value, channel_axis});
      });
}

Noise make_shot(const RandomCall& draw, const Values<float>& factor) {
  return Noise(draw.first, draw.second,
               [factor = PerSample(to_vector(factor))](size_t i, View out, ConstView in, const Philox& sequence) {
                 add_shot_noise(out, in, sequence, factor[i]);
               });
}

}  // namespace

void bind_noise_steps(nb::module_& m) {
  nb::class_<Noise, Step>(m, "Noise", "Puts random noise into samples.")
      .def_static("gaussian", &make_gaussian, nb::arg("draw"), nb::arg("mean"), nb::arg("stddev"))
      .def_static("salt_and_pepper", &make_salt_and_pepper, nb::arg("draw"), nb::arg("probability"),
                  nb::arg("salt_share"), nb::arg("salt"), nb::arg("pepper"), nb::arg("channel_axis"))
      .def_static("shot", &make_shot, nb::arg("draw"), nb::arg("factor"));
}

}  // namespace penstock
