#include "kernels/masks/random_object.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "kernels/random/draws.h"

namespace penstock {
namespace {

using Components = std::vector<const ConnectedComponent*>;

/// The label of what belongs to no object: what is said, else 0 or, where that is a class, one below the lowest class.
int64_t background_of(const ObjectChoice& choice) {
  const auto is_class = [&](int64_t label) {
    return std::find(choice.classes.begin(), choice.classes.end(), label) != choice.classes.end();
  };
  if (choice.background) {
    if (is_class(*choice.background))
      throw std::runtime_error("Class label " + std::to_string(*choice.background) +
                               " coincides with background label - please specify a different background label or "
                               "remove it from your list of foreground classes.");
    return *choice.background;
  }
  return is_class(0) ? *std::min_element(choice.classes.begin(), choice.classes.end()) - 1 : 0;
}

/// The classes to draw from: those given, else numbered from 0 past the background, else all in the mask.
std::vector<int64_t> classes_of(const ObjectChoice& choice, const std::vector<ConnectedComponent>& components,
                                int64_t background) {
  if (!choice.classes.empty()) return choice.classes;
  std::vector<int64_t> classes;
  if (!choice.weights.empty()) {
    for (int64_t label = 0; classes.size() < choice.weights.size(); ++label)
      if (label != background) classes.push_back(label);
    return classes;
  }
  for (const ConnectedComponent& component : components) classes.push_back(component.label);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

bool is_large_enough(const ConnectedComponent& component, const std::vector<int32_t>& least) {
  for (size_t d = 0; d < least.size(); ++d)
    if (component.end[d] - component.start[d] < least[d]) return false;
  return true;
}

/// One of the components that are large enough; none where there is none.
const ConnectedComponent* draw_from(PhiloxReader& words, Components components, const ObjectChoice& choice, int ndim) {
  std::erase_if(components,
                [&](const ConnectedComponent* component) { return !is_large_enough(*component, choice.least_size); });
  if (components.empty()) return nullptr;
  if (choice.largest && static_cast<int64_t>(components.size()) > *choice.largest) {
    std::stable_sort(
        components.begin(), components.end(),
        [&](const ConnectedComponent* a, const ConnectedComponent* b) { return a->volume(ndim) > b->volume(ndim); });
    components.resize(*choice.largest);
  }
  return components[even_share(words, static_cast<uint32_t>(components.size()))];
}

/// Where in `weights` a number from 0 to 1 falls.
size_t place_of(double number, const std::vector<double>& weights, double whole) {
  double sum = 0;
  for (size_t k = 0; k + 1 < weights.size(); ++k)
    if (sum += weights[k] / whole; number <= sum) return k;
  return weights.size() - 1;
}

/// Draws a class, then one of its components; a class that has none is not drawn again.
const ConnectedComponent* draw_by_class(PhiloxReader& words, const std::vector<ConnectedComponent>& components,
                                        const ObjectChoice& choice, int64_t background, int ndim) {
  const std::vector<int64_t> classes = classes_of(choice, components, background);
  std::vector<double> weights = choice.weights.empty() ? std::vector<double>(classes.size(), 1.0) : choice.weights;
  std::vector<Components> by_class(classes.size());
  for (size_t k = 0; k < classes.size(); ++k) {
    for (const ConnectedComponent& component : components)
      if (component.label == classes[k]) by_class[k].push_back(&component);
    if (by_class[k].empty()) weights[k] = 0;
  }
  while (true) {
    const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(whole > 0)) return nullptr;
    const size_t k = place_of(unit<double>(words), weights, whole);
    if (const ConnectedComponent* drawn = draw_from(words, by_class[k], choice, ndim)) return drawn;
    weights[k] = 0;
  }
}

}  // namespace

ConnectedComponent draw_object(const Philox& sequence, ConstView mask, const ObjectChoice& choice) {
  PhiloxReader words(sequence);
  const int ndim = mask.shape.ndim;
  const int64_t background = background_of(choice);
  ConnectedComponent whole;
  whole.label = background;
  for (int d = 0; d < ndim; ++d) whole.end[d] = static_cast<int32_t>(mask.shape[d]);
  if (!(unit<double>(words) < choice.probability) || choice.no_class) return whole;
  const std::vector<ConnectedComponent> components = find_components(mask, background);
  const ConnectedComponent* drawn = nullptr;
  if (!choice.any_class) {
    drawn = draw_by_class(words, components, choice, background, ndim);
  } else {
    Components all;
    for (const ConnectedComponent& component : components) all.push_back(&component);
    drawn = draw_from(words, std::move(all), choice, ndim);
  }
  return drawn ? *drawn : whole;
}

}  // namespace penstock
