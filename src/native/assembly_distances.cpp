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

int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(Distance);

// The steps of two ways along each direction, padded to whole words.
std::size_t row_of(const Motions& motions) {
    return (2 * motions.steps.size() + kPerWord - 1) / kPerWord * kPerWord;
}

int ceil_div(int a, int b) { return b == 1 ? a : -floor_div(-a, b); }

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
      known_(kFirst),
      steps_(kFirst * row_of(motions_)),
      far_(row_of(motions_), kFree) {
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
        for (const Vec& offset : motions_.swept[direction][first.types[k]]) {
            // The steps at which the point is in the box, and its place there.
            int begin = 0, end = best, index = 0, stride = 0;
            for (int i = 0; i < kAxes && begin < end; ++i) {
                const int c = first.units[k][i] + apart[i] + offset[i] - second.least[i];
                const int room = second.size[i] - 1 - c;
                index = index * second.size[i] + c;
                stride = stride * second.size[i] + step[i];
                const int ahead = step[i] < 0 ? c : room, behind = step[i] < 0 ? room : c;
                const int length = std::abs(step[i]);
                if (ahead < 0 || (length == 0 && behind < 0)) {
                    end = 0;
                } else if (length != 0) {
                    if (behind < 0) begin = std::max(begin, ceil_div(-behind, length));
                    end = std::min(end, length == 1 ? ahead + 1 : ahead / length + 1);
                }
            }
            for (int steps = begin; steps < end; ++steps)
                if (second.box[static_cast<std::size_t>(index + steps * stride)]) {
                    best = steps;
                    break;
                }
        }
        if (best == 0) return 0;
    }
    return best == last ? kFree : static_cast<Distance>(std::min(best, kFree - 1));
}

void Distances::grow() {
    const std::size_t width = far_.size();
    std::vector<Known> known;
    std::vector<Distance> steps;
    known.swap(known_);
    steps.swap(steps_);
    const bool emptied = known.size() >= kMost;
    known_.assign(emptied ? kFirst : known.size() * 2, {});
    steps_.resize(known_.size() * width);
    if (emptied) entries_ = 0;
    for (std::size_t k = 0; !emptied && k < known.size(); ++k) {
        if (known[k].key == 0) continue;
        const std::size_t place = slot(known[k].key);
        known_[place] = known[k];
        std::copy_n(steps.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                    steps_.begin() + static_cast<std::ptrdiff_t>(place * width));
    }
}

Apart Distances::compute_all(int first, int second, const Vec& displacement) {
    const Vec back{-displacement[0], -displacement[1], -displacement[2]};
    for (int d = 0; d < motions_.directions(); ++d) {
        far_[2 * d] = compute(shapes_[first], shapes_[second], displacement, d);
        // The first moving back is the second moving on.
        far_[2 * d + 1] = compute(shapes_[second], shapes_[first], back, d);
    }
    Apart apart{0, 0, far_.data()};
    for (std::size_t way = 0; way < far_.size(); ++way) {
        apart.at_once |= std::uint64_t{far_[way] == 0} << way;
        apart.later |= std::uint64_t{far_[way] != 0 && far_[way] != kFree} << way;
    }
    return apart;
}

Apart Distances::learn(std::uint64_t key, int first, int second, const Vec& displacement) {
    const Apart apart = compute_all(first, second, displacement);
    if ((entries_ + 1) * 2 > known_.size()) grow();
    ++entries_;
    const std::size_t place = slot(key);
    known_[place] = {key, apart.at_once, apart.later};
    std::copy(far_.begin(), far_.end(),
              steps_.begin() + static_cast<std::ptrdiff_t>(place * far_.size()));
    return apart;
}

}  // namespace exactile::assembly
