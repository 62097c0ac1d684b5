#include "codecs/jpeg/round_trip.h"

namespace penstock {

RoundTrip::RoundTrip(size_t stream_bytes) : stream_bytes_(stream_bytes), stream_(new JOCTET[stream_bytes]) {
  jpeg_std_error(&errors_);
  errors_.error_exit = [](j_common_ptr info) { std::longjmp(of(info).jump_, 1); };
  errors_.emit_message = [](j_common_ptr, int) {};
  compressor_.err = decompressor_.err = &errors_;
  compressor_.client_data = decompressor_.client_data = this;
  target_.init_destination = [](j_compress_ptr) {};
  target_.empty_output_buffer = [](j_compress_ptr info) -> boolean { std::longjmp(of(info).jump_, 1); };
  target_.term_destination = [](j_compress_ptr) {};
  source_.init_source = [](j_decompress_ptr) {};
  source_.fill_input_buffer = [](j_decompress_ptr info) -> boolean { std::longjmp(of(info).jump_, 1); };
  source_.skip_input_data = [](j_decompress_ptr info, long) { std::longjmp(of(info).jump_, 1); };
  source_.resync_to_restart = jpeg_resync_to_restart;
  source_.term_source = [](j_decompress_ptr) {};
}

RoundTrip::~RoundTrip() {
  jpeg_destroy_compress(&compressor_);
  jpeg_destroy_decompress(&decompressor_);
}

void RoundTrip::start_compress(JDIMENSION height, JDIMENSION width, int quality) {
  jpeg_create_compress(&compressor_);
  target_.next_output_byte = stream_.get();
  target_.free_in_buffer = stream_bytes_;
  compressor_.dest = &target_;
  compressor_.image_height = height;
  compressor_.image_width = width;
  compressor_.input_components = kChannels;
  compressor_.in_color_space = JCS_RGB;
  jpeg_set_defaults(&compressor_);
  jpeg_set_quality(&compressor_, quality, TRUE);
  jpeg_start_compress(&compressor_, TRUE);
}

void RoundTrip::start_decompress() {
  jpeg_create_decompress(&decompressor_);
  source_.next_input_byte = stream_.get();
  source_.bytes_in_buffer = stream_bytes_ - target_.free_in_buffer;
  decompressor_.src = &source_;
  jpeg_read_header(&decompressor_, TRUE);
  decompressor_.out_color_space = JCS_RGB;
  jpeg_start_decompress(&decompressor_);
}

}  // namespace penstock
