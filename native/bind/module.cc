// The module: everything that is bound, in the order of its dependencies.
#include "bind/convert.h"

NB_MODULE(_native, m) {
  m.doc() = "The C++ core of penstock: sample storage, thread pool, codecs and kernels.";
  // Batches that live at interpreter exit are not leaks: their memory is the pool's.
  nanobind::set_leak_warnings(false);
  penstock::bind_samples(m);
  penstock::bind_chain(m);
  penstock::bind_machine(m);
  penstock::bind_jpeg(m);
  penstock::bind_resize(m);
  penstock::bind_files(m);
  penstock::bind_records(m);
  penstock::bind_tar(m);
  penstock::bind_coco(m);
  penstock::bind_lmdb(m);
  penstock::bind_tables(m);
  penstock::bind_zip(m);
  penstock::bind_random(m);
  penstock::bind_array_steps(m);
  penstock::bind_color_steps(m);
  penstock::bind_image_steps(m);
  penstock::bind_noise_steps(m);
  penstock::bind_random_window(m);
  penstock::bind_assemble(m);
  penstock::bind_reduce_steps(m);
  penstock::bind_point_steps(m);
  penstock::bind_warp_steps(m);
  penstock::bind_filter_steps(m);
  penstock::bind_sample_error(m);
  penstock::bind_sampling(m);
  penstock::bind_step_calls(m);
  penstock::bind_recent_calls(m);
  penstock::bind_call_maker(m);
  penstock::bind_call_chain(m);
  penstock::bind_result_queue(m);
  penstock::bind_graph_replay(m);
  penstock::bind_step_maker(m);
  penstock::bind_batch_reader(m);
  penstock::bind_batch_queue(m);
  penstock::bind_boxes(m);
  penstock::bind_masks(m);
  penstock::bind_arithmetic_steps(m);
  penstock::bind_planar_yuv(m);
  penstock::bind_audio_steps(m);
  penstock::bind_sound(m);
  penstock::bind_array_files(m);
}
