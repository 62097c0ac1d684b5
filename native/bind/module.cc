#include "bind/convert.h"

NB_MODULE(_native, m) {
  m.doc() = "The C++ core of penstock: sample storage, thread pool, codecs and kernels.";
  // Batches that live at interpreter exit are not leaks: their memory is the pool's.
  nanobind::set_leak_warnings(false);
  penstock::bind_samples(m);
  penstock::bind_runtime(m);
  penstock::bind_machine(m);
  penstock::bind_decode(m);
  penstock::bind_resize(m);
  penstock::bind_readers(m);
  penstock::bind_records(m);
  penstock::bind_archives(m);
  penstock::bind_coco(m);
  penstock::bind_lmdb(m);
  penstock::bind_tables(m);
  penstock::bind_zip(m);
  penstock::bind_random(m);
  penstock::bind_geometry_steps(m);
  penstock::bind_color_steps(m);
  penstock::bind_paste_steps(m);
  penstock::bind_noise_steps(m);
  penstock::bind_random_window(m);
  penstock::bind_tensor(m);
  penstock::bind_reduction_steps(m);
  penstock::bind_point_steps(m);
  penstock::bind_warp_steps(m);
  penstock::bind_filter_steps(m);
  penstock::bind_each_sample(m);
  penstock::bind_detection(m);
  penstock::bind_segmentation(m);
  penstock::bind_elementwise_steps(m);
  penstock::bind_video(m);
  penstock::bind_audio_steps(m);
  penstock::bind_sound(m);
  penstock::bind_arrays(m);
}
