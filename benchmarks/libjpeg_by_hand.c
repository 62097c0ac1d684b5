/* JPEGs decoded as libjpeg's manual shows it, for decode_by_hand.py. */
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/* Decodes to RGB, `out` being large enough. */
void decode(const unsigned char* data, size_t size, unsigned char* out) {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, data, size);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    JSAMPROW rows[16];
    for (int i = 0; i < 16; ++i) rows[i] = out + (size_t)(info.output_scanline + i) * info.output_width * 3;
    jpeg_read_scanlines(&info, rows, 16);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
}
