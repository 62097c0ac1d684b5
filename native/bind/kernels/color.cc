// Steps that change colours.
#include "bind/convert.h"
#include "kernels/color/clahe_step.h"
#include "kernels/color/color_step.h"
#include "kernels/color/debayer_step.h"
#include "kernels/color/histogram.h"

namespace penstock {
namespace {

constexpr float kLargestAmount = 1 << 24;

template <typename T>
void require_width(const Rows<T>& rows, size_t width) {
  if (rows.shape(1) != width) throw nb::value_error(("expected rows of " + std::to_string(width)).c_str());
}

void make_color_space(ColorSpace* self, int from, int to) {
  const auto is_swap = [](int type) {
    return type == static_cast<int>(ColorType::rgb) || type == static_cast<int>(ColorType::bgr);
  };
  const int gray = static_cast<int>(ColorType::gray);
  if (from == to || !((is_swap(from) && is_swap(to)) || from == gray || to == gray))
    throw nb::value_error("conversion not supported");
  new (self) ColorSpace(static_cast<ColorType>(from), static_cast<ColorType>(to));
}

void make_lookup_table(LookupTable* self, const AnyArray& table) {
  require_contiguous(table);
  if (table.size() == 0) throw nb::value_error("a table has at least the entry for all other keys");
  const auto* bytes = static_cast<const std::byte*>(table.data());
  new (self) LookupTable(dtype_of(table.dtype()), {bytes, bytes + table.nbytes()});
}

void make_clahe(Clahe* self, int64_t columns, int64_t rows, double clip_limit, bool luma_only) {
  constexpr int64_t kMost = 1 << 20;
  if (columns < 1 || rows < 1 || columns > kMost || rows > kMost || columns * rows > kMost)
    throw nb::value_error("expected from 1 to 1048576 tiles");
  new (self) Clahe({columns, rows, clip_limit}, luma_only);
}

void make_tone_change(ToneChange* self, int tone, const Values<float>& amount) {
  if (tone < 0 || tone > static_cast<int>(Tone::auto_contrast)) throw nb::value_error("no such change of tone");
  for (size_t i = 0; i < amount.size(); ++i)
    if (!(amount(i) >= -kLargestAmount && amount(i) <= kLargestAmount))
      throw nb::value_error("the amount is too large");
  new (self) ToneChange(static_cast<Tone>(tone), to_vector(amount));
}

}  // namespace

void bind_color_steps(nb::module_& m) {
  nb::class_<Linear, Step>(m, "Linear")
      .def(
          "__init__",
          [](Linear* self, int dtype, const Values<float>& factor, const Values<float>& addend) {
            new (self) Linear(dtype_from(dtype), to_vector(factor), to_vector(addend));
          },
          nb::arg("dtype"), nb::arg("factor"), nb::arg("addend"));
  nb::class_<ColorMatrix, Step>(m, "ColorMatrix")
      .def(
          "__init__",
          [](ColorMatrix* self, int dtype, const Rows<float>& maps) {
            require_width(maps, 12);
            new (self) ColorMatrix(dtype_from(dtype), {to_vector(maps), 12});
          },
          nb::arg("dtype"), nb::arg("maps"));
  nb::class_<ColorSpace, Step>(m, "ColorSpace")
      .def("__init__", &make_color_space, nb::arg("image_type"), nb::arg("output_type"));
  nb::class_<LookupTable, Step>(m, "LookupTable").def("__init__", &make_lookup_table, nb::arg("table"));
  nb::class_<Clahe, Step>(m, "Clahe")
      .def("__init__", &make_clahe, nb::arg("columns"), nb::arg("rows"), nb::arg("clip_limit"), nb::arg("luma_only"));
  nb::class_<Debayer, Step>(m, "Debayer")
      .def(
          "__init__",
          [](Debayer* self, const Rows<int32_t>& blue) {
            require_width(blue, 2);
            new (self) Debayer({to_vector(blue), 2});
          },
          nb::arg("blue"));
  nb::class_<ToneChange, Step>(m, "ToneChange").def("__init__", &make_tone_change, nb::arg("tone"), nb::arg("amount"));
  nb::class_<Histogram, Step>(m, "Histogram", "Counts of the values of each channel.").def(nb::init<>());
  nb::class_<Equalize, Step>(m, "Equalize")
      .def(
          "__init__", [](Equalize* self, int channel_axis) { new (self) Equalize(channel_axis); },
          nb::arg("channel_axis"));
}

}  // namespace penstock
