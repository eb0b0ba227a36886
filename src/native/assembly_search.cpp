#include "assembly_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace exactile::assembly {

namespace {

constexpr std::size_t kBetweenClocks = 32;                // states between two looks at the clock
constexpr std::size_t kMovesAtOnce = 1 << 12;             // of a state
constexpr std::size_t kFew = 32;                          // sets that are looked through
constexpr std::size_t kMostBytes = std::size_t{1} << 29;  // of the offsets of all states

void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

// States are padded to whole words.
constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(std::int16_t);

std::uint64_t hashed(const std::int16_t* offsets, std::size_t width) {
    std::uint64_t hash = 0x243F6A8885A308D3U;
    for (std::size_t k = 0; k < width; k += kPerWord) {
        std::uint64_t word;
        std::memcpy(&word, offsets + k, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

bool Separator::Sets::add(Pieces set) {
    if (list.size() < kFew) {
        if (std::find(list.begin(), list.end(), set) != list.end()) return false;
    } else {
        if (known.empty()) known.insert(list.begin(), list.end());
        if (!known.insert(set).second) return false;
    }
    list.push_back(set);
    return true;
}

void Separator::Sets::clear() {
    list.clear();
    if (!known.empty()) known.clear();
}

void Separator::start(const std::vector<Placed>& pieces) {
    pieces_ = pieces;
    const std::size_t numbers = pieces.size() * (turning_ ? kAxes + 1 : kAxes);
    width_ = (numbers + kPerWord - 1) / kPerWord * kPerWord;
    shapes_.clear();
    forms_.clear();
    for (const Placed& piece : pieces) {
        shapes_.push_back(piece.shape);
        forms_.push_back({piece.shape});
    }
    limit_ = std::min(most_, kMostBytes / (width_ * sizeof(std::int16_t)));
    offsets_.clear();
    from_.clear();
    lines_.clear();
    table_.assign(64, 0);
    const auto directions = static_cast<std::size_t>(distances_->motions().directions());
    later_.resize(directions);
    by_one_.resize(directions);
    places_.resize(pieces.size());
    buffer_.clear();
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
    while (table_[place] != 0 && std::memcmp(offsets, &offsets_[(table_[place] - 1) * width_],
                                             width_ * sizeof *offsets) != 0)
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

// Where a piece is in a state, and its shape.
Placed Separator::place(std::size_t state, std::size_t piece) const {
    const std::int16_t* numbers = &offsets_[state * width_];
    Placed result = pieces_[piece];
    for (std::size_t c = 0; c < kAxes; ++c) result.at[c] += numbers[piece * kAxes + c];
    if (turning_)
        result.shape =
            forms_[piece][static_cast<std::size_t>(numbers[pieces_.size() * kAxes + piece])];
    return result;
}

// The pieces in the way of each other at once, and those that are so after some steps.
void Separator::measure(std::size_t state) {
    const std::size_t n = pieces_.size();
    const std::int16_t* offsets = &offsets_[state * width_];
    if (turning_)
        for (std::size_t i = 0; i < n; ++i) shapes_[i] = place(state, i).shape;
    for (std::size_t d = 0; d < by_one_.size(); ++d) {
        later_[d].clear();
        by_one_[d].reset(n);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < kAxes; ++c)
            places_[i][c] = pieces_[i].at[c] + offsets[i * kAxes + c];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const Vec &from = places_[i], &to = places_[j];
            const Vec displacement{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
            const Apart apart = distances_->between(shapes_[i], shapes_[j], displacement);
            // That the first moves back is that the second moves on.
            for (std::uint64_t ways = apart.at_once; ways != 0; ways &= ways - 1) {
                const auto way = static_cast<std::size_t>(std::countr_zero(ways));
                by_one_[way / 2].add(way % 2 ? j : i, one(way % 2 ? i : j));
            }
            for (std::uint64_t ways = apart.later; ways != 0; ways &= ways - 1) {
                const auto way = static_cast<std::size_t>(std::countr_zero(ways));
                later_[way / 2].push_back(
                    {way % 2 ? j : i, one(way % 2 ? i : j), apart.steps[way]});
            }
        }
}

// For every piece, those that have to move with it by some steps, from those that have to move with
// it by fewer. Returns whether there is a piece that not all others have to follow.
bool Separator::close(std::size_t direction, std::size_t steps, Relation& groups) const {
    for (const Later& meeting : later_[direction])
        if (meeting.steps < steps) groups.add(meeting.piece, meeting.met);
    return groups.complete();
}

// Whether some pieces can leave: a single one if possible, else the first group that is not larger
// than the rest. Completes the groups that move by one step.
bool Separator::separable() {
    leaving_.pieces = 0;
    const std::size_t n = pieces_.size();
    for (std::size_t d = 0; d < by_one_.size(); ++d) {
        open_[d] = by_one_[d].complete();
        if (!open_[d]) continue;
        groups_ = by_one_[d];
        if (!close(d, kFree, groups_)) continue;
        for (std::size_t way = 2 * d; way <= 2 * d + 1; ++way) {
            if (way % 2) groups_.transpose();
            for (std::size_t i = 0; i < n; ++i) {
                const Pieces group = groups_.of(i);
                const auto size = static_cast<std::size_t>(std::popcount(group));
                if (size == 1 || (2 * size <= n && leaving_.pieces == 0))
                    leaving_ = {group, static_cast<std::int8_t>(way)};
                if (size == 1) return true;
            }
        }
    }
    return leaving_.pieces != 0;
}

// Write the offsets after a move behind each other into the buffer; returns their hash.
std::uint64_t Separator::displace(std::size_t state, const Move& move) {
    const Vec& step = distances_->motions().steps[static_cast<std::size_t>(move.direction / 2)];
    const int steps = move.direction % 2 ? -move.steps : move.steps;
    const std::size_t begin = buffer_.size();
    buffer_.resize(begin + width_);
    std::memcpy(&buffer_[begin], &offsets_[state * width_], width_ * sizeof(std::int16_t));
    // The first piece stays where it is: if it moves, the others move the opposite way.
    if (move.turn >= 0) {
        turn(state, move, begin);
        return hashed(&buffer_[begin], width_);
    }
    const bool others = move.pieces & 1;
    const int sign = others ? -steps : steps;
    for (Pieces left = others ? all_of(pieces_.size()) & ~move.pieces : move.pieces; left != 0;
         left &= left - 1) {
        std::int16_t* offset =
            &buffer_[begin + kAxes * static_cast<std::size_t>(std::countr_zero(left))];
        for (std::size_t c = 0; c < kAxes; ++c)
            offset[c] = static_cast<std::int16_t>(offset[c] + sign * step[c]);
    }
    return hashed(&buffer_[begin], width_);
}

// The state with some offsets; a new one comes about by a move.
std::size_t Separator::find(const std::int16_t* offsets, std::uint64_t hash, std::size_t from,
                            const Move& move) {
    const std::size_t place = slot(offsets, hash);
    if (table_[place] != 0) return table_[place] - 1;
    const std::size_t fresh = from_.size();
    table_[place] = static_cast<std::uint32_t>(fresh + 1);
    offsets_.insert(offsets_.end(), offsets, offsets + width_);
    from_.push_back({static_cast<std::uint32_t>(from), move});
    lines_.push_back(0);
    if (from_.size() * 2 > table_.size()) rehash();
    return fresh;
}

// Find the states after the moves of a state, in order. Memory is asked for ahead of its use.
void Separator::settle(std::size_t state) {
    constexpr std::size_t kAhead = 4;
    const std::size_t moves = moves_.size();
    for (std::size_t k = 0; k < moves + kAhead && from_.size() <= limit_; ++k) {
        if (k < moves)
            if (const std::uint32_t known = table_[hashes_[k] & (table_.size() - 1)])
                prefetch(&offsets_[(known - 1) * width_]);
        if (k >= kAhead)
            find(&buffer_[(k - kAhead) * width_], hashes_[k - kAhead], state, moves_[k - kAhead]);
    }
    moves_.clear();
    hashes_.clear();
    buffer_.clear();
}

// Every union of groups that are not larger than the rest moves by every distance. Larger ones
// leave the others to move the opposite way. The order in which states are found decides which of
// several shortest separations is taken; it is that of BurrTools: directions, pieces, steps,
// unions.
void Separator::expand(std::size_t state) {
    const std::size_t n = pieces_.size();
    for (std::size_t d = 0; d < by_one_.size(); ++d) {
        if (!open_[d]) continue;
        by_steps_[0] = by_one_[d];
        std::size_t most = 1;  // steps by which some pieces move without all others
        for (;; ++most) {
            if (by_steps_.size() == most) by_steps_.emplace_back();
            by_steps_[most] = by_steps_[most - 1];
            const bool fewer =
                std::any_of(later_[d].begin(), later_[d].end(),
                            [&](const Later& meeting) { return meeting.steps == most; });
            if (fewer && !close(d, most + 1, by_steps_[most])) break;
        }
        if (sets_.size() < most) sets_.resize(most);
        for (std::size_t way = 2 * d; way <= 2 * d + 1; ++way) {
            for (std::size_t step = 0; step < most; ++step) {
                sets_[step].clear();
                if (way % 2) by_steps_[step].transpose();
            }
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t step = 0; step < most; ++step) {
                    const Pieces group = by_steps_[step].of(i);
                    if (static_cast<std::size_t>(std::popcount(group)) * 2 > n) break;
                    const Move move{group, static_cast<std::int8_t>(way), -1,
                                    static_cast<std::uint16_t>(step + 1)};
                    add_moves(state, sets_[step], move);
                    if (from_.size() > limit_) return;
                }
        }
    }
    settle(state);
}

// A group moves, and its union with each set that moves alike.
void Separator::add_moves(std::size_t state, Sets& sets, Move move) {
    const Pieces group = move.pieces, every = all_of(pieces_.size());
    const std::size_t before = sets.list.size();
    if (!sets.add(group)) return;
    for (std::size_t k = 0; k <= before; ++k) {
        move.pieces = k == 0 ? group : sets.list[k - 1] | group;
        if (move.pieces == every || (k > 0 && !sets.add(move.pieces))) continue;
        if (move.turn >= 0 && !turns(move)) continue;
        moves_.push_back(move);
        hashes_.push_back(displace(state, move));
        prefetch(&table_[hashes_.back() & (table_.size() - 1)]);
        if (moves_.size() == kMovesAtOnce) settle(state);
        if (from_.size() > limit_) return;
    }
}

// All states that displacements along one line lead to, step by step.
void Separator::expand_line(std::size_t state, int direction) {
    const std::uint32_t explored = std::uint32_t{1} << direction;
    if (lines_[state] & explored) return;
    std::vector<std::size_t> waiting{state};
    lines_[state] |= explored;
    while (!waiting.empty() && from_.size() <= limit_) {
        const std::size_t here = waiting.back();
        waiting.pop_back();
        measure(here);
        // One way suffices; unions come about one group after the other.
        groups_ = by_one_[static_cast<std::size_t>(direction)];
        groups_.complete();
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const Pieces set = groups_.of(i);
            const Move move{set, static_cast<std::int8_t>(2 * direction), -1, 1};
            buffer_.clear();
            const std::uint64_t hash = displace(here, move);
            const std::size_t there = find(buffer_.data(), hash, here, move);
            if (lines_[there] & explored) continue;
            lines_[there] |= explored;
            waiting.push_back(there);
        }
    }
    buffer_.clear();
}

Separator::End Separator::run(Clock::time_point deadline) {
    for (std::size_t since = 0;; ++since) {
        if (next_ == layer_) {
            if (layer_ == from_.size()) return End::kLocked;
            layer_ = from_.size();
            ++depth_;
        }
        if (since == (turning_ ? 1 : kBetweenClocks)) {
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
        if (turning_) expand_turns(next_);
        if (from_.size() > limit_) return End::kTooMany;
        ++next_;
    }
}

std::vector<Placed> Separator::placed() const {
    std::vector<Placed> result;
    for (std::size_t i = 0; i < pieces_.size(); ++i) result.push_back(place(last_, i));
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
                         separator_.moves(), separator_.number(), separator_.first()};
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
