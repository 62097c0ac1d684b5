#include "codecs/jpeg/jpeg_report.h"

#include <stdexcept>
#include <vector>

#include "codecs/jpeg/jpeg_session.h"
#include "memory/memory_limit.h"

namespace penstock {
namespace {

constexpr int kMaxScans = 500;

void read_rows(JpegSession& session) {
  jpeg_decompress_struct& info = session.info();
  std::vector<JSAMPLE> row(static_cast<size_t>(info.output_width) * info.output_components);
  JSAMPROW rows[] = {row.data()};
  session.call([&rows](j_decompress_ptr info) {
    while (info->output_scanline < info->output_height) jpeg_read_scanlines(info, rows, 1);
  });
}

}  // namespace

JpegReport report_jpeg(std::span<const std::byte> data, int64_t max_bytes) {
  JpegReport report{read_jpeg_header(data), ""};
  require_enough_data(report.header);
  require_memory([] { return std::string("decoding the JPEG"); }, static_cast<double>(report.header.coefficient_bytes),
                 max_bytes);
  const JpegSession::Lease session = JpegSession::lease();
  session->open(data);
  jpeg_decompress_struct& info = session->info();
  info.scale_num = 1;
  info.scale_denom = 8;
  info.out_color_space = info.jpeg_color_space;
  info.do_fancy_upsampling = FALSE;
  session->start(kMaxScans, false);
  read_rows(*session);
  try {
    session->call([](j_decompress_ptr info) { jpeg_finish_decompress(info); });
  } catch (const std::runtime_error&) {
    report.damage = "the end marker is missing";
  }
  if (session->warned()) report.damage = session->warning();
  return report;
}

}  // namespace penstock
