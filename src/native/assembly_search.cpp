#include "assembly_search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace exactile::assembly {

namespace {

constexpr std::size_t kBetweenClocks = 32;  // states between two looks at the clock

Pieces one(std::size_t piece) { return Pieces{1} << piece; }

Pieces all_of(std::size_t pieces) { return pieces == 64 ? ~Pieces{0} : one(pieces) - 1; }

std::uint64_t hashed(const std::int16_t* offsets, std::size_t width) {
    std::uint64_t hash = 0x243F6A8885A308D3U;
    for (std::size_t k = 0; k < width; ++k)
        hash = (hash ^ static_cast<std::uint16_t>(offsets[k])) * 0x9E3779B97F4A7C15U,
        hash ^= hash >> 29;
    return hash;
}

}  // namespace

void Separator::start(const std::vector<Placed>& pieces) {
    pieces_ = pieces;
    width_ = pieces.size() * kAxes;
    offsets_.clear();
    from_.clear();
    lines_.clear();
    table_.assign(64, 0);
    matrix_.resize(static_cast<std::size_t>(distances_->motions().directions()) * pieces.size() *
                   pieces.size());
    reach_.resize(pieces.size());
    scratch_.assign(width_, 0);
    next_ = last_ = 0;
    layer_ = 1;
    depth_ = 0;
    offsets_.resize(width_, 0);
    from_.push_back({0, {}});
    lines_.push_back(0);
    table_[slot(offsets_.data(), hashed(offsets_.data(), width_))] = 1;
}

std::size_t Separator::slot(const std::int16_t* offsets, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = static_cast<std::size_t>(hash) & mask;
    while (table_[place] != 0 && !std::equal(offsets, offsets + width_,
                                             offsets_.begin() + static_cast<std::ptrdiff_t>(
                                                                    (table_[place] - 1) * width_)))
        place = (place + 1) & mask;
    return place;
}

void Separator::rehash() {
    table_.assign(table_.size() * 4, 0);
    for (std::size_t state = 0; state < from_.size(); ++state) {
        const std::int16_t* offsets = &offsets_[state * width_];
        table_[slot(offsets, hashed(offsets, width_))] = static_cast<std::uint32_t>(state + 1);
    }
}

// The matrix of free distances of a state.
void Separator::measure(std::size_t state) {
    const std::size_t n = pieces_.size();
    const std::int16_t* offsets = &offsets_[state * width_];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            Vec apart;
            for (std::size_t c = 0; c < kAxes; ++c)
                apart[c] = pieces_[j].at[c] - pieces_[i].at[c] + offsets[j * kAxes + c] -
                           offsets[i * kAxes + c];
            const Distance* free = distances_->between(pieces_[i].shape, pieces_[j].shape, apart);
            for (std::size_t d = 0; d < distances_->motions().steps.size(); ++d)
                matrix_[(d * n + i) * n + j] = free[d];
        }
}

// For every piece, those that have to move with it by some steps: the closure of being in the way.
// Returns whether there is a piece that not all others have to follow.
bool Separator::close(int direction, int steps, std::vector<Pieces>& reach) const {
    const std::size_t n = pieces_.size();
    const std::size_t d = static_cast<std::size_t>(direction / 2);
    const bool back = direction % 2 != 0;
    for (std::size_t i = 0; i < n; ++i) {
        reach[i] = one(i);
        for (std::size_t j = 0; j < n; ++j) {
            const Distance free = matrix_[back ? (d * n + j) * n + i : (d * n + i) * n + j];
            if (i != j && free < steps) reach[i] |= one(j);
        }
    }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            if (reach[i] & one(k)) reach[i] |= reach[k];
    const Pieces every = all_of(n);
    return std::any_of(reach.begin(), reach.end(), [&](Pieces set) { return set != every; });
}

// Whether some pieces can leave: a single one if possible, else the first group that is not larger
// than the rest.
bool Separator::separable() {
    leaving_.pieces = 0;
    const int half = static_cast<int>(pieces_.size()) / 2;
    for (int direction = 0; direction < 2 * distances_->motions().directions(); ++direction) {
        if (!close(direction, kFree, reach_)) continue;
        for (const Pieces group : reach_) {
            const int size = std::popcount(group);
            if (size == 1) {
                leaving_ = {group, direction, 0};
                return true;
            }
            if (size <= half && leaving_.pieces == 0) leaving_ = {group, direction, 0};
        }
    }
    return leaving_.pieces != 0;
}

// The state after a move, and whether it is new: then the number of states is greater than it.
std::size_t Separator::moved(std::size_t state, Pieces pieces, int direction, int steps) {
    const Vec& step = distances_->motions().steps[static_cast<std::size_t>(direction / 2)];
    const std::int16_t* offsets = &offsets_[state * width_];
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        for (std::size_t c = 0; c < kAxes; ++c) {
            // Relative to the first piece, which stays where it is.
            const int moves = static_cast<int>(pieces >> i & 1) - static_cast<int>(pieces & 1);
            scratch_[i * kAxes + c] = static_cast<std::int16_t>(
                offsets[i * kAxes + c] + moves * steps * (direction % 2 ? -step[c] : step[c]));
        }
    const std::size_t place = slot(scratch_.data(), hashed(scratch_.data(), width_));
    if (table_[place] != 0) return table_[place] - 1;
    const std::size_t fresh = from_.size();
    table_[place] = static_cast<std::uint32_t>(fresh + 1);
    offsets_.insert(offsets_.end(), scratch_.begin(), scratch_.end());
    from_.push_back({static_cast<std::uint32_t>(state), {pieces, direction, steps}});
    lines_.push_back(0);
    if (from_.size() * 2 > table_.size()) rehash();
    return fresh;
}

// Every union of groups that are not larger than the rest moves by every distance. Larger ones
// leave the others to move the opposite way. The order in which states are found decides which of
// several shortest separations is taken; it is that of BurrTools: directions, pieces, steps,
// unions.
void Separator::expand(std::size_t state) {
    const std::size_t n = pieces_.size();
    const Pieces every = all_of(n);
    for (int direction = 0; direction < 2 * distances_->motions().directions(); ++direction) {
        std::size_t most = 0;  // steps by which some pieces move without all others
        for (;; ++most) {
            if (closures_.size() == most) closures_.emplace_back();
            closures_[most].resize(n);
            if (!close(direction, static_cast<int>(most) + 1, closures_[most])) break;
        }
        sets_.assign(most, {});
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t step = 0; step < most; ++step) {
                const Pieces group = closures_[step][i];
                if (static_cast<std::size_t>(std::popcount(group)) * 2 > n) break;
                std::vector<Pieces>& sets = sets_[step];
                if (std::find(sets.begin(), sets.end(), group) != sets.end()) continue;
                const std::size_t before = sets.size();
                for (std::size_t k = 0; k <= before; ++k) {
                    const Pieces set = k == 0 ? group : sets[k - 1] | group;
                    if (set == every ||
                        (k > 0 && std::find(sets.begin(), sets.end(), set) != sets.end()))
                        continue;
                    sets.push_back(set);
                    moved(state, set, direction, static_cast<int>(step) + 1);
                    if (from_.size() > most_) return;
                }
            }
    }
}

// All states that displacements along one line lead to, step by step.
void Separator::expand_line(std::size_t state, int direction) {
    const std::uint8_t explored = static_cast<std::uint8_t>(1 << direction);
    if (lines_[state] & explored) return;
    std::vector<std::size_t> waiting{state};
    lines_[state] |= explored;
    while (!waiting.empty() && from_.size() <= most_) {
        const std::size_t here = waiting.back();
        waiting.pop_back();
        measure(here);
        // One way suffices; unions come about one group after the other.
        close(2 * direction, 1, reach_);
        for (const Pieces set : reach_) {
            const std::size_t there = moved(here, set, 2 * direction, 1);
            if (lines_[there] & explored) continue;
            lines_[there] |= explored;
            waiting.push_back(there);
        }
    }
}

Separator::End Separator::run(Clock::time_point deadline) {
    for (std::size_t since = 0;; ++since) {
        if (next_ == layer_) {
            if (layer_ == from_.size()) return End::kLocked;
            layer_ = from_.size();
            ++depth_;
        }
        if (since == kBetweenClocks) {
            if (Clock::now() >= deadline) return End::kOpen;
            since = 0;
        }
        measure(next_);
        if (separable()) {
            last_ = next_;
            return End::kSeparated;
        }
        if (counting_ == Counting::kDistances)
            expand(next_);
        else
            for (int d = 0; d < distances_->motions().directions(); ++d) expand_line(next_, d);
        if (from_.size() > most_) return End::kTooMany;
        ++next_;
    }
}

std::vector<Placed> Separator::placed() const {
    std::vector<Placed> result = pieces_;
    for (std::size_t i = 0; i < result.size(); ++i)
        for (std::size_t c = 0; c < kAxes; ++c)
            result[i].at[c] += offsets_[last_ * width_ + i * kAxes + c];
    return result;
}

std::vector<Move> Separator::moves() const {
    std::vector<Move> result{leaving_};
    if (counting_ == Counting::kLines) return {};
    for (std::size_t state = last_; state != 0; state = from_[state].from)
        result.push_back(from_[state].move);
    std::reverse(result.begin(), result.end());
    return result;
}

void Disassembler::start(const std::vector<int>& placements, std::vector<Pieces> together) {
    separations_.clear();
    outcome_ = Outcome::kApart;
    locked_ = 0;
    states_ = 0;
    open_ = false;
    together_ = std::move(together);
    Part whole{all_of(placements.size()), {}};
    for (const int number : placements) whole.placed.push_back(distances_.placed(number));
    waiting_.assign(1, std::move(whole));
}

// Take the next part that has to be separated; false if there is none.
bool Disassembler::begin() {
    while (!waiting_.empty()) {
        part_ = std::move(waiting_.back());
        waiting_.pop_back();
        const bool done =
            part_.placed.size() < 2 || std::any_of(
                                           together_.begin(), together_.end(),
                                           [&](Pieces set) { return (part_.pieces & ~set) == 0; });
        if (done) continue;
        separator_.start(part_.placed);
        return true;
    }
    return false;
}

// Which pieces of an assembly some pieces of a part are.
static Pieces spread(Pieces pieces, Pieces part) {
    Pieces result = 0;
    for (; part != 0; part &= part - 1, pieces >>= 1)
        if (pieces & 1) result |= part & -part;
    return result;
}

bool Disassembler::run(Clock::time_point deadline) {
    while (open_ || begin()) {
        open_ = true;
        const Separator::End end = separator_.run(deadline);
        if (end == Separator::End::kOpen) return false;
        open_ = false;
        states_ += static_cast<std::int64_t>(separator_.states());
        if (end != Separator::End::kSeparated) {
            outcome_ = end == Separator::End::kLocked ? Outcome::kLocked : Outcome::kUnknown;
            locked_ = part_.pieces;
            waiting_.clear();
            return true;
        }
        Separation found{part_.pieces, spread(separator_.removed(), part_.pieces),
                         separator_.moves(), separator_.number()};
        for (Move& move : found.moves) move.pieces = spread(move.pieces, part_.pieces);
        const std::vector<Placed> placed = separator_.placed();
        Part removed{found.removed, {}}, rest{found.pieces & ~found.removed, {}};
        Pieces left = found.pieces;
        for (const Placed& each : placed) {
            const bool leaves = (found.removed & left & -left) != 0;
            (leaves ? removed : rest).placed.push_back(each);
            left &= left - 1;
        }
        separations_.push_back(std::move(found));
        waiting_.push_back(std::move(removed));
        waiting_.push_back(std::move(rest));
    }
    return true;
}

}  // namespace exactile::assembly
