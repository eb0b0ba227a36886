#include "assembly_distances.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "assembly_turns.hpp"

namespace exactile::assembly {

namespace {

constexpr std::size_t kFirst = 1 << 12;              // entries of the table at the beginning
constexpr std::size_t kMost = std::size_t{1} << 24;  // after which it is emptied
constexpr int kBits = 10;                            // of a coordinate in a key
constexpr int kHalf = 1 << (kBits - 1);

int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

}  // namespace

bool Distances::Shape::contains(const Vec& point) const {
    std::size_t index = 0;
    for (int i = 0; i < kAxes; ++i) {
        const int c = point[i] - least[i];
        if (c < 0 || c >= size[i]) return false;
        index = index * static_cast<std::size_t>(size[i]) + static_cast<std::size_t>(c);
    }
    return box[index] != 0;
}

Distances::Distances(Motions motions)
    : motions_(std::move(motions)),
      keys_(kFirst),
      values_(kFirst * 2 * motions_.steps.size()),
      far_(2 * motions_.steps.size()) {
    for (const auto& types : motions_.swept)
        for (const auto& offsets : types)
            for (const Vec& offset : offsets)
                for (const int c : offset) reach_ = std::max(reach_, std::abs(c));
}

int Distances::add(const std::vector<Vec>& units, const std::vector<int>& types) {
    placed_.push_back(shape_of(units, types));
    return placements() - 1;
}

Placed Distances::shape_of(const std::vector<Vec>& units, const std::vector<int>& types) {
    std::vector<std::pair<Vec, int>> sorted;
    Vec at{};
    for (int i = 0; i < kAxes; ++i) {
        int least = std::numeric_limits<int>::max();
        for (const Vec& unit : units) least = std::min(least, unit[i]);
        at[i] = floor_div(least, motions_.period);
    }
    for (std::size_t k = 0; k < units.size(); ++k) {
        Vec unit = units[k];
        for (int i = 0; i < kAxes; ++i) unit[i] -= at[i] * motions_.period;
        sorted.emplace_back(unit, types[k]);
    }
    std::sort(sorted.begin(), sorted.end());
    Shape shape;
    for (const auto& [unit, type] : sorted) {
        shape.units.push_back(unit);
        shape.types.push_back(type);
    }
    const auto [place, fresh] = numbers_.emplace(shape.units, static_cast<int>(shapes_.size()));
    const Placed placed{place->second, at};
    if (!fresh) return placed;
    shape.least = shape.units[0];
    Vec most = shape.units[0];
    for (const Vec& unit : shape.units)
        for (int i = 0; i < kAxes; ++i) {
            shape.least[i] = std::min(shape.least[i], unit[i]);
            most[i] = std::max(most[i], unit[i]);
        }
    std::size_t cells = 1;
    for (int i = 0; i < kAxes; ++i) {
        shape.size[i] = most[i] - shape.least[i] + 1;
        cells *= static_cast<std::size_t>(shape.size[i]);
    }
    shape.box.assign(cells, 0);
    for (const Vec& unit : shape.units) {
        std::size_t index = 0;
        for (int i = 0; i < kAxes; ++i)
            index = index * static_cast<std::size_t>(shape.size[i]) +
                    static_cast<std::size_t>(unit[i] - shape.least[i]);
        shape.box[index] = 1;
    }
    // A unit whose way leads through its own piece alone never meets another one first.
    for (int d = 0; d < motions_.directions(); ++d) {
        std::vector<int> front;
        for (std::size_t k = 0; k < shape.units.size(); ++k) {
            const auto& offsets = motions_.swept[d][shape.types[k]];
            const bool inner = std::all_of(offsets.begin(), offsets.end(), [&](const Vec& offset) {
                Vec point = shape.units[k];
                for (int i = 0; i < kAxes; ++i) point[i] += offset[i];
                return shape.contains(point);
            });
            if (!inner) front.push_back(static_cast<int>(k));
        }
        shape.fronts.push_back(std::move(front));
    }
    shapes_.push_back(std::move(shape));
    return placed;
}

int Distances::turned(int shape, int turn) {
    if (shapes_[shape].turned.empty()) shapes_[shape].turned.assign(kTurns, -1);
    if (shapes_[shape].turned[turn] < 0) {
        const Vec size = shapes_[shape].size;
        std::vector<Vec> units;
        for (const Vec& unit : shapes_[shape].units) units.push_back(turned_cell(turn, unit, size));
        shapes_[shape].turned[turn] = shape_of(units, shapes_[shape].types).shape;
    }
    return shapes_[shape].turned[turn];
}

Distance Distances::compute(const Shape& first, const Shape& second, const Vec& displacement,
                            int direction) const {
    Vec step;   // of one move, in points
    Vec apart;  // from a point of the first piece to the same in the frame of the second
    for (int i = 0; i < kAxes; ++i) {
        step[i] = motions_.steps[direction][i] * motions_.period;
        apart[i] = -displacement[i] * motions_.period;
    }
    // The number of steps after which the first piece has passed the second for good.
    int last = std::numeric_limits<int>::max();
    for (int i = 0; i < kAxes; ++i) {
        const int from = first.least[i] + apart[i] - reach_;
        const int to = first.least[i] + first.size[i] - 1 + apart[i] + reach_;
        const int low = second.least[i], high = second.least[i] + second.size[i] - 1;
        if (step[i] == 0) {
            if (from > high || to < low) return kFree;
        } else if (step[i] > 0) {
            last = std::min(last, from > high ? 0 : (high - from) / step[i] + 1);
        } else {
            last = std::min(last, to < low ? 0 : (to - low) / -step[i] + 1);
        }
    }
    if (last == 0) return kFree;
    int best = last;
    for (const int k : first.fronts[direction]) {
        const auto& offsets = motions_.swept[direction][first.types[k]];
        Vec point = first.units[k];
        for (int i = 0; i < kAxes; ++i) point[i] += apart[i];
        for (int steps = 0; steps < best; ++steps) {
            for (const Vec& offset : offsets)
                if (second.contains(
                        {point[0] + offset[0], point[1] + offset[1], point[2] + offset[2]})) {
                    best = steps;
                    break;
                }
            for (int i = 0; i < kAxes; ++i) point[i] += step[i];
        }
        if (best == 0) return 0;
    }
    return best == last ? kFree : static_cast<Distance>(std::min(best, kFree - 1));
}

std::size_t Distances::slot(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t place = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 32) & mask;
    while (keys_[place] != 0 && keys_[place] != key) place = (place + 1) & mask;
    return place;
}

void Distances::grow() {
    const std::size_t width = far_.size();
    std::vector<std::uint64_t> keys;
    std::vector<Distance> values;
    keys.swap(keys_);
    values.swap(values_);
    const bool emptied = keys.size() >= kMost;
    keys_.assign(emptied ? kFirst : keys.size() * 2, 0);
    values_.resize(keys_.size() * width);
    if (emptied) known_ = 0;
    for (std::size_t k = 0; !emptied && k < keys.size(); ++k) {
        if (keys[k] == 0) continue;
        const std::size_t place = slot(keys[k]);
        keys_[place] = keys[k];
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                    values_.begin() + static_cast<std::ptrdiff_t>(place * width));
    }
}

const Distance* Distances::between(int first, int second, const Vec& displacement) {
    const std::size_t width = far_.size();
    // Keys have 1 + 16 + 16 + 3 * 10 bits.
    bool kept = first < 1 << 16 && second < 1 << 16;
    std::uint64_t key = (std::uint64_t{1} << 16 | static_cast<std::uint64_t>(first)) << 16 |
                        static_cast<std::uint64_t>(second);
    for (const int c : displacement) {
        kept = kept && c >= -kHalf && c < kHalf;
        key = key << kBits | static_cast<std::uint64_t>((c + kHalf) & ((1 << kBits) - 1));
    }
    if (kept) {
        const std::size_t place = slot(key);
        if (keys_[place] == key) return &values_[place * width];
    }
    const Vec back{-displacement[0], -displacement[1], -displacement[2]};
    for (int d = 0; d < motions_.directions(); ++d) {
        far_[2 * d] = compute(shapes_[first], shapes_[second], displacement, d);
        // That the first moves back is that the second moves on.
        far_[2 * d + 1] = compute(shapes_[second], shapes_[first], back, d);
    }
    if (!kept) return far_.data();
    if ((known_ + 1) * 2 > keys_.size()) grow();
    ++known_;
    const std::size_t place = slot(key);
    keys_[place] = key;
    std::copy(far_.begin(), far_.end(),
              values_.begin() + static_cast<std::ptrdiff_t>(place * width));
    return &values_[place * width];
}

}  // namespace exactile::assembly
