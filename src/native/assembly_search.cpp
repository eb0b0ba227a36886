#include "assembly_search.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace exactile::assembly {

namespace {

constexpr std::size_t kBetweenClocks = 32;                // states between readings of the clock
constexpr std::size_t kMovesAtOnce = 1 << 12;             // of a state
constexpr std::size_t kFew = 32;                          // sets that are looked through
constexpr int kFarthest = 10'000;                         // displacement of a piece
constexpr std::size_t kMostBytes = std::size_t{1} << 29;  // of the offsets of all states

void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

// States are padded to whole words.
constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(std::int16_t);

// Numbers that look random, the same every time: splitmix64 of 1, 2, 3 ...
std::uint64_t code(std::size_t number) {
    std::uint64_t z = (number + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

// Whether states are the same. They are so short that `memcmp` would take longer.
bool equal(const std::int16_t* a, const std::int16_t* b, std::size_t width) {
    for (std::size_t k = 0; k < width; k += kPerWord) {
        std::uint64_t x, y;
        std::memcpy(&x, a + k, sizeof x);
        std::memcpy(&y, b + k, sizeof y);
        if (x != y) return false;
    }
    return true;
}

std::size_t home(std::uint64_t hash, std::size_t mask) { return (hash ^ hash >> 32) & mask; }

}  // namespace

bool Separator::Sets::add(Pieces set) {
    if (set < 64 * small.size()) {
        std::uint64_t& some = small[set / 64];
        const std::uint64_t bit = std::uint64_t{1} << set % 64;
        if (some & bit) return false;
        some |= bit;
    } else if (list.size() < kFew) {
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
    small = {};
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
    by_one_.resize(directions);
    pairs_.resize(pieces.size() * pieces.size() / 2);
    steps_.resize(pairs_.size() * distances_->row());
    later_.resize(directions * pieces.size() * pieces.size());
    places_.resize(pieces.size());
    moved_.resize(width_);
    while (codes_.size() < width_) codes_.push_back(code(codes_.size()));
    for (std::size_t i = by_step_.size() / directions; i < pieces.size(); ++i)
        for (const Vec& step : distances_->motions().steps) {
            std::uint64_t sum = 0;
            for (std::size_t c = 0; c < kAxes; ++c)
                sum += codes_[i * kAxes + c] * static_cast<std::uint64_t>(std::int64_t{step[c]});
            by_step_.push_back(sum);
        }
    too_far_ = false;
    next_ = last_ = 0;
    layer_ = 1;
    depth_ = 0;
    offsets_.resize(width_, 0);
    from_.push_back({0, {}});
    lines_.push_back(0);
    table_[slot(offsets_.data(), hashed(offsets_.data()))] = 1;
}

std::uint64_t Separator::hashed(const std::int16_t* offsets) const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < width_; ++k)
        sum += codes_[k] * static_cast<std::uint64_t>(std::int64_t{offsets[k]});
    return sum;
}

// The hash after a move other than a turn.
std::uint64_t Separator::hashed(std::uint64_t before, const Move& move) const {
    const auto direction = static_cast<std::size_t>(move.direction / 2);
    const bool others = move.pieces & 1;
    std::uint64_t sum = 0;
    for (Pieces left = others ? all_of(pieces_.size()) & ~move.pieces : move.pieces; left != 0;
         left &= left - 1)
        sum +=
            by_step_[static_cast<std::size_t>(std::countr_zero(left)) * by_one_.size() + direction];
    sum *= move.steps;
    return others != (move.direction % 2 != 0) ? before - sum : before + sum;
}

std::size_t Separator::slot(const std::int16_t* offsets, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = home(hash, mask);
    while (table_[place] != 0 && !equal(offsets, &offsets_[(table_[place] - 1) * width_], width_))
        place = (place + 1) & mask;
    return place;
}

void Separator::rehash() {
    table_.assign(table_.size() * 4, 0);
    for (std::size_t state = 0; state < from_.size(); ++state) {
        const std::int16_t* offsets = &offsets_[state * width_];
        table_[slot(offsets, hashed(offsets))] = static_cast<std::uint32_t>(state + 1);
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

// The pieces in the way of each other at once, and after how many steps others are.
void Separator::measure(std::size_t state) {
    const std::size_t n = pieces_.size();
    const std::int16_t* offsets = &offsets_[state * width_];
    if (turning_)
        for (std::size_t i = 0; i < n; ++i) shapes_[i] = place(state, i).shape;
    for (Relation& relation : by_one_) relation.reset(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < kAxes; ++c)
            places_[i][c] = pieces_[i].at[c] + offsets[i * kAxes + c];
    const std::size_t directions = by_one_.size(), row = distances_->row();
    Relation* const by_one = by_one_.data();
    std::uint64_t* pair = pairs_.data();
    Distance* steps = steps_.data();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const Vec &from = places_[i], &to = places_[j];
            const Vec displacement{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
            const Apart apart = distances_->between(shapes_[i], shapes_[j], displacement);
            // The first moving back is the second moving on.
            std::uint64_t at_once = apart.at_once;
            for (std::size_t d = 0; d < directions; ++d, at_once >>= 2)
                by_one[d].add_pair(i, j, at_once & 3);
            *pair++ = apart.later;
            for (std::size_t k = 0; k < row; k += kPerWord)
                std::memcpy(steps + k, apart.steps + k, sizeof(std::uint64_t));
            steps += row;
        }
}

// List the pieces that meet others after some steps in a direction. Whether a pair does is hard to
// predict: there is no branch.
void Separator::meet(std::size_t direction) {
    const std::size_t row = distances_->row();
    const std::uint64_t* pair = pairs_.data();
    const Distance* steps = steps_.data() + 2 * direction;
    const auto n = static_cast<std::uint8_t>(pieces_.size());
    Later* next = &later_[direction * n * n];
    for (std::uint8_t i = 0; i < n; ++i)
        for (auto j = static_cast<std::uint8_t>(i + 1); j < n; ++j, steps += row) {
            const std::uint64_t ways = *pair++ >> 2 * direction;
            *next = {i, j, steps[0]};
            next += ways & 1;
            *next = {j, i, steps[1]};
            next += ways >> 1 & 1;
        }
    meetings_[direction] = static_cast<std::size_t>(next - &later_[direction * n * n]);
}

// Whether some pieces can leave: a single one if possible, else the first group that is not larger
// than the rest. Completes the groups that move by one step.
bool Separator::separable() {
    leaving_.pieces = 0;
    const std::size_t n = pieces_.size();
    for (std::size_t d = 0; d < by_one_.size(); ++d) {
        open_[d] = by_one_[d].complete();
        if (!open_[d]) continue;
        meet(d);
        groups_ = by_one_[d];
        for (std::size_t k = 0; k < meetings_[d]; ++k)
            groups_.add(later_[d * n * n + k].piece, one(later_[d * n * n + k].met));
        if (!groups_.complete()) continue;
        for (std::size_t way = 2 * d; way <= 2 * d + 1; ++way) {
            if (way % 2) groups_.transpose();
            for (std::size_t i = 0; i < n; ++i) {
                const Pieces group = groups_.of(i);
                const std::size_t size = size_of(group);
                if (size == 1 || (2 * size <= n && leaving_.pieces == 0))
                    leaving_ = {group, static_cast<std::int8_t>(way)};
                if (size == 1) return true;
            }
        }
    }
    return leaving_.pieces != 0;
}

// The numbers of a state after a move. The first piece stays where it is: if it moves, the others
// move the opposite way.
void Separator::carry(std::size_t state, const Move& move) {
    std::memcpy(moved_.data(), &offsets_[state * width_], width_ * sizeof(std::int16_t));
    if (move.turn >= 0) return turn(state, move);
    const Vec& step = distances_->motions().steps[static_cast<std::size_t>(move.direction / 2)];
    const bool others = move.pieces & 1;
    const int steps = others != (move.direction % 2 != 0) ? -move.steps : move.steps;
    const Vec by{steps * step[0], steps * step[1], steps * step[2]};
    for (Pieces left = others ? all_of(pieces_.size()) & ~move.pieces : move.pieces; left != 0;
         left &= left - 1) {
        std::int16_t* offset = &moved_[kAxes * static_cast<std::size_t>(std::countr_zero(left))];
        for (std::size_t c = 0; c < kAxes; ++c)
            offset[c] = static_cast<std::int16_t>(offset[c] + by[c]);
    }
}

// The state with the numbers that were moved; a new one comes about by a move. The search ends if
// pieces are so far away that numbers after a further move might not fit into 16 bits; a move has
// as few steps, of length 1 or 2.
std::size_t Separator::find(std::uint64_t hash, std::size_t from, const Move& move) {
    const std::size_t place = slot(moved_.data(), hash);
    if (table_[place] != 0) return table_[place] - 1;
    for (const std::int16_t number : moved_) too_far_ |= std::abs(number) > kFarthest;
    const std::size_t fresh = from_.size();
    table_[place] = static_cast<std::uint32_t>(fresh + 1);
    offsets_.insert(offsets_.end(), moved_.begin(), moved_.end());
    from_.push_back({static_cast<std::uint32_t>(from), move});
    lines_.push_back(0);
    if (from_.size() * 2 > table_.size()) rehash();
    return fresh;
}

// Find the states after the moves of a state, in order. Memory is prefetched.
void Separator::settle(std::size_t state) {
    constexpr std::size_t kAhead = 4;
    const std::size_t moves = moves_.size();
    for (std::size_t k = 0; k < moves + kAhead && from_.size() <= limit_; ++k) {
        if (k < moves)
            if (const std::uint32_t known = table_[home(hashes_[k], table_.size() - 1)])
                prefetch(&offsets_[(known - 1) * width_]);
        if (k < kAhead) continue;
        carry(state, moves_[k - kAhead]);
        find(hashes_[k - kAhead], state, moves_[k - kAhead]);
    }
    moves_.clear();
    hashes_.clear();
}

// Every union of groups that are not larger than the rest moves by every distance. Larger ones
// leave the others to move the opposite way. The order in which states are found decides which of
// several shortest separations is taken; it is that of BurrTools: directions, pieces, steps,
// unions.
void Separator::expand(std::size_t state) {
    const std::size_t n = pieces_.size();
    hash_ = hashed(&offsets_[state * width_]);
    came_by_ = from_[state].move;
    for (std::size_t d = 0; d < by_one_.size(); ++d) {
        if (!open_[d]) continue;
        const Later* const later = &later_[d * n * n];
        // Pieces that take each other along: first those that only do after a number of steps, then
        // all that do by then.
        std::size_t farthest = 0;
        for (std::size_t k = 0; k < meetings_[d]; ++k)
            farthest = std::max<std::size_t>(farthest, later[k].steps);
        if (by_steps_.size() <= farthest) by_steps_.resize(farthest + 1);
        for (std::size_t step = 1; step <= farthest; ++step) by_steps_[step].clear(n);
        for (std::size_t k = 0; k < meetings_[d]; ++k)
            by_steps_[later[k].steps].add(later[k].piece, one(later[k].met));
        by_steps_[0] = by_one_[d];
        std::size_t most = 1;  // steps by which some pieces move without all others
        while (!by_steps_[most].join(by_steps_[most - 1]) || by_steps_[most].complete()) ++most;
        too_far_ |= most > kFarthest;
        if (too_far_) return;
        if (sets_.size() < most) sets_.resize(most);
        for (std::size_t way = 2 * d; way <= 2 * d + 1; ++way) {
            for (std::size_t step = 0; step < most; ++step) {
                sets_[step].clear();
                if (way % 2) by_steps_[step].transpose();
            }
            for (Pieces left = by_steps_[0].with_at_most(n / 2); left != 0; left &= left - 1)
                for (std::size_t step = 0; step < most; ++step) {
                    const auto i = static_cast<std::size_t>(std::countr_zero(left));
                    const Pieces group = by_steps_[step].of(i);
                    if (size_of(group) * 2 > n) break;
                    const Move move{group, static_cast<std::int8_t>(way), -1,
                                    static_cast<std::uint16_t>(step + 1)};
                    add_moves(state, sets_[step], move);
                    if (from_.size() > limit_) return;
                }
        }
    }
    settle(state);
}

// Whether the same pieces have just moved along the same line. Where they go now they could also go
// then, by one move: those states are known.
bool Separator::repeats(const Move& move) const {
    const Move& last = came_by_;
    return last.turn < 0 && move.turn < 0 && move.direction / 2 == last.direction / 2 &&
           (move.pieces == last.pieces || (move.pieces ^ last.pieces) == all_of(pieces_.size()));
}

// A group moves, and its union with each set that moves alike.
void Separator::add_moves(std::size_t state, Sets& sets, Move move) {
    const Pieces group = move.pieces, every = all_of(pieces_.size());
    const std::size_t before = sets.list.size();
    if (!sets.add(group)) return;
    for (std::size_t k = 0; k <= before; ++k) {
        move.pieces = k == 0 ? group : sets.list[k - 1] | group;
        if (move.pieces == every || (k > 0 && !sets.add(move.pieces))) continue;
        if (repeats(move)) continue;
        if (move.turn >= 0) {
            if (!turns(move)) continue;
            carry(state, move);
            find(hashed(moved_.data()), state, move);
            if (from_.size() > limit_) return;
            continue;
        }
        moves_.push_back(move);
        hashes_.push_back(hashed(hash_, move));
        prefetch(&table_[home(hashes_.back(), table_.size() - 1)]);
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
            carry(here, move);
            const std::size_t there = find(hashed(moved_.data()), here, move);
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
        if (from_.size() > limit_ || too_far_) return End::kTooMany;
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
