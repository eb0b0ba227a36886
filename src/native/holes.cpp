#include "holes.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace exactile {

static constexpr std::int64_t kFarthest = 1 << 20;
static constexpr std::size_t kLargestBox = std::size_t{1} << 28;

// All units of a box around the form that are reached from its rim are outside.
bool encloses_units(const GrowthLattice& lattice, const std::int64_t* points, std::size_t order) {
    const std::size_t d = static_cast<std::size_t>(lattice.dimension);
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (std::size_t p = 0; p < order * d; ++p) {
        if (points[p] < -kFarthest || points[p] > kFarthest)
            throw std::length_error("a coordinate is too large");
        const int value = static_cast<int>(points[p]);
        low[p % d] = p < d ? value : std::min(low[p % d], value);
        high[p % d] = p < d ? value : std::max(high[p % d], value);
    }
    std::size_t stride[3] = {0, 0, 0}, size = 1;
    for (std::size_t k = 0; k < d; ++k) {
        low[k] -= lattice.period;
        high[k] += lattice.period;
        stride[k] = size;
        size *= static_cast<std::size_t>(high[k] - low[k] + 1);
        if (size > kLargestBox) throw std::length_error("the form is too large");
    }
    const auto is_inside = [&](const int* at) {
        for (std::size_t k = 0; k < d; ++k)
            if (at[k] < low[k] || at[k] > high[k]) return false;
        return true;
    };
    const auto index_of = [&](const int* at) {
        std::size_t index = 0;
        for (std::size_t k = 0; k < d; ++k)
            index += stride[k] * static_cast<std::size_t>(at[k] - low[k]);
        return index;
    };
    std::vector<char> is_left(size, 1);
    for (std::size_t p = 0; p < order; ++p) {
        int at[3] = {0, 0, 0};
        for (std::size_t k = 0; k < d; ++k) at[k] = static_cast<int>(points[p * d + k]);
        is_left[index_of(at)] = 0;
    }
    std::vector<std::size_t> front;
    // Calls `visit` with the neighbors of the unit at an index; returns whether there is a unit.
    const auto each_neighbor = [&](std::size_t index, auto visit) {
        int at[3] = {0, 0, 0};
        for (std::size_t k = d; k-- > 0; index %= stride[k])
            at[k] = low[k] + static_cast<int>(index / stride[k]);
        const int type = lattice.types[lattice.residue_of(at)];
        if (type < 0) return false;
        const auto& steps = lattice.steps[static_cast<std::size_t>(type)];
        for (std::size_t s = 0; s < steps.size(); s += d) {
            int other[3] = {0, 0, 0};
            for (std::size_t k = 0; k < d; ++k) other[k] = at[k] + steps[s + k];
            visit(other);
        }
        return true;
    };
    for (std::size_t index = 0; index < size; ++index) {
        if (!is_left[index]) continue;
        bool is_rim = false;
        const bool is_unit =
            each_neighbor(index, [&](const int* other) { is_rim = is_rim || !is_inside(other); });
        if (!is_unit) is_left[index] = 0;
        if (is_unit && is_rim) {
            is_left[index] = 0;
            front.push_back(index);
        }
    }
    while (!front.empty()) {
        const std::size_t index = front.back();
        front.pop_back();
        each_neighbor(index, [&](const int* other) {
            if (!is_inside(other) || !is_left[index_of(other)]) return;
            is_left[index_of(other)] = 0;
            front.push_back(index_of(other));
        });
    }
    return std::find(is_left.begin(), is_left.end(), 1) != is_left.end();
}

}  // namespace exactile
