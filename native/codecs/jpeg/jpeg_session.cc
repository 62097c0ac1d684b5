#include "codecs/jpeg/jpeg_session.h"

#include <stdexcept>
#include <string>

#include "codecs/jpeg/private_entries.h"

namespace penstock {

struct JpegSession::Callbacks {
  template <typename Info>
  static JpegSession& session(Info* info) {
    return *static_cast<JpegSession*>(info->client_data);
  }

  static void error_exit(j_common_ptr info) { session(info).fail(Failure::libjpeg); }
  static void emit_message(j_common_ptr info, int level) {
    if (level < 0) session(info).warn();
  }
  static void init_source(j_decompress_ptr) {}
  static void term_source(j_decompress_ptr) {}
  static boolean fill_input_buffer(j_decompress_ptr info) { session(info).fail(Failure::ends_early); }

  static void skip_input_data(j_decompress_ptr info, long bytes) {
    if (bytes <= 0) return;
    if (static_cast<size_t>(bytes) > info->src->bytes_in_buffer) session(info).fail(Failure::ends_early);
    info->src->next_input_byte += bytes;
    info->src->bytes_in_buffer -= bytes;
  }

  static void progress_monitor(j_common_ptr info) {
    JpegSession& self = session(info);
    if (self.info_.input_scan_number > self.max_scans_) self.fail(Failure::too_many_scans);
  }

  static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW* blocks) {
    JpegSession& self = session(info);
    if (!self.huffman_.decode_mcu(blocks)) self.fail(Failure::damaged);
    return TRUE;
  }
};

namespace {
thread_local std::unique_ptr<JpegSession> idle_session;
}  // namespace

JpegSession::Lease JpegSession::lease() {
  if (!idle_session) idle_session = std::make_unique<JpegSession>();
  return Lease(idle_session.release());
}

void JpegSession::GiveBack::operator()(JpegSession* session) const {
  jpeg_destroy_decompress(&session->info_);
  session->rows_.give_back_large();
  idle_session.reset(session);
}

JpegSession::JpegSession() {
  jpeg_std_error(&errors_);
  errors_.error_exit = Callbacks::error_exit;
  errors_.emit_message = Callbacks::emit_message;
  source_.init_source = Callbacks::init_source;
  source_.fill_input_buffer = Callbacks::fill_input_buffer;
  source_.skip_input_data = Callbacks::skip_input_data;
  source_.resync_to_restart = jpeg_resync_to_restart;
  source_.term_source = Callbacks::term_source;
  progress_.progress_monitor = Callbacks::progress_monitor;
}

JpegSession::~JpegSession() { jpeg_destroy_decompress(&info_); }

// A decompressor used again would lend the tables of the last image to one that lacks them; a new one costs 0.2 us.
void JpegSession::open(std::span<const std::byte> data) {
  jpeg_destroy_decompress(&info_);
  info_.err = &errors_;
  info_.client_data = this;
  source_.next_input_byte = reinterpret_cast<const JOCTET*>(data.data());
  source_.bytes_in_buffer = data.size();
  stage_ = Stage::header;
  warning_[0] = '\0';
  call([this](j_decompress_ptr info) {
    jpeg_create_decompress(info);
    info->src = &source_;
    jpeg_read_header(info, TRUE);
  });
}

RowDecoder* JpegSession::start_rows(const Rect& window, RowDecoder::Pixels pixels, int max_scans, int eighths) {
  if (eighths < DCTSIZE) {
    info_.scale_num = eighths;
    info_.scale_denom = DCTSIZE;
    call([](j_decompress_ptr info) { jpeg_calc_output_dimensions(info); });
  }
  return rows_.begin(&info_, huffman_, window, pixels, max_scans) ? &rows_ : nullptr;
}

void JpegSession::start(int max_scans, bool trusting) {
  max_scans_ = max_scans;
  stage_ = Stage::scans;
  if (jpeg_has_multiple_scans(&info_)) info_.progress = &progress_;
  call([](j_decompress_ptr info) { jpeg_start_decompress(info); });
  stage_ = Stage::rows;
  if (trusting && can_replace_entropy_coding() && huffman_.begin(&info_))
    info_.entropy->decode_mcu = Callbacks::decode_mcu;
}

void JpegSession::warn() {
  if (!warned()) errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), warning_);
}

void JpegSession::fail(Failure failure) {
  failure_ = failure;
  std::longjmp(jump_, 1);
}

bool JpegSession::report() {
  const auto number = [](auto n) { return std::to_string(n); };
  if (failure_ == Failure::damaged) return false;
  if (failure_ == Failure::too_many_scans)
    throw std::runtime_error("Failed to decode sample: the JPEG has more than " + number(max_scans_) +
                             " scans; raise max_scans to decode it");
  if (failure_ == Failure::libjpeg) {
    char message[JMSG_LENGTH_MAX];
    errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), message);
    throw std::runtime_error(std::string("cannot decode the JPEG: ") + message);
  }
  if (stage_ == Stage::header) throw std::runtime_error("the JPEG ends inside its header");
  if (stage_ == Stage::scans)
    throw std::runtime_error("the JPEG ends early, in scan " + number(info_.input_scan_number));
  const uint64_t rows = uint64_t{info_.output_scanline} * info_.image_height / info_.output_height;  // at full size
  throw std::runtime_error("the JPEG ends early: " + number(rows) + " of " + number(info_.image_height) +
                           " rows decoded");
}

}  // namespace penstock
