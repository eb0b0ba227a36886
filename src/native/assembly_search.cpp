#include "assembly_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace exactile::assembly {

namespace {

constexpr std::size_t kBetweenClocks = 32;  // states between two looks at the clock

Pieces one(std::size_t piece) { return Pieces{1} << piece; }

Pieces all_of(std::size_t pieces) { return pieces == 64 ? ~Pieces{0} : one(pieces) - 1; }

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

// Complete the sets of pieces that each piece takes along; returns whether one is not everything.
bool complete(std::vector<Pieces>& reach) {
    const std::size_t n = reach.size();
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            if (reach[i] & one(k)) reach[i] |= reach[k];
    const Pieces every = all_of(n);
    return std::any_of(reach.begin(), reach.end(), [&](Pieces set) { return set != every; });
}

}  // namespace

Vec axis_of(const Move& move, const Vec& first) {
    Vec axis{};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t c = (static_cast<std::size_t>(move.turn / 2) + 1 + k) % kAxes;
        axis[c] = move.axis[k] + 2 * first[c];
    }
    return axis;
}

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
    shapes_.resize(pieces.size());
    forms_.clear();
    for (const Placed& piece : pieces) forms_.push_back({piece.shape});
    limit_ = std::min(most_, kMostBytes / (width_ * sizeof(std::int16_t)));
    offsets_.clear();
    from_.clear();
    lines_.clear();
    table_.assign(64, 0);
    matrix_.resize(static_cast<std::size_t>(distances_->motions().directions()) * pieces.size() *
                   pieces.size());
    reach_.resize(pieces.size());
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

// The matrix of free distances of a state.
void Separator::measure(std::size_t state) {
    const std::size_t n = pieces_.size();
    const std::int16_t* offsets = &offsets_[state * width_];
    for (std::size_t i = 0; i < n; ++i) shapes_[i] = place(state, i).shape;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            Vec apart;
            for (std::size_t c = 0; c < kAxes; ++c)
                apart[c] = pieces_[j].at[c] - pieces_[i].at[c] + offsets[j * kAxes + c] -
                           offsets[i * kAxes + c];
            const Distance* free = distances_->between(shapes_[i], shapes_[j], apart);
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
    return complete(reach);
}

// Whether some pieces can leave: a single one if possible, else the first group that is not larger
// than the rest.
bool Separator::separable() {
    leaving_.pieces = 0;
    const int half = static_cast<int>(pieces_.size()) / 2;
    for (int direction = 0; direction < 2 * distances_->motions().directions(); ++direction) {
        if (!close(direction, kFree, reach_)) continue;
        const auto way = static_cast<std::int8_t>(direction);
        for (const Pieces group : reach_) {
            const int size = std::popcount(group);
            if (size == 1) {
                leaving_ = {group, way};
                return true;
            }
            if (size <= half && leaving_.pieces == 0) leaving_ = {group, way};
        }
    }
    return leaving_.pieces != 0;
}

// Write the offsets after a move behind each other into the buffer; returns their hash.
std::uint64_t Separator::displace(std::size_t state, const Move& move) {
    const Vec& step = distances_->motions().steps[static_cast<std::size_t>(move.direction / 2)];
    const int steps = move.direction % 2 ? -move.steps : move.steps;
    const std::size_t begin = buffer_.size();
    buffer_.insert(buffer_.end(), offsets_.begin() + static_cast<std::ptrdiff_t>(state * width_),
                   offsets_.begin() + static_cast<std::ptrdiff_t>((state + 1) * width_));
    // The first piece stays where it is: if it moves, the others move the opposite way.
    if (move.turn >= 0) {
        turn(state, move, begin);
        return hashed(&buffer_[begin], width_);
    }
    const bool turned = move.pieces & 1;
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        if ((move.pieces >> i & 1) == (turned ? 1 : 0)) continue;
        for (std::size_t c = 0; c < kAxes; ++c) {
            std::int16_t& offset = buffer_[begin + i * kAxes + c];
            offset = static_cast<std::int16_t>(offset + (turned ? -steps : steps) * step[c]);
        }
    }
    return hashed(&buffer_[begin], width_);
}

// Turn pieces of a state whose numbers begin somewhere in the buffer.
void Separator::turn(std::size_t state, const Move& move, std::size_t begin) {
    const std::size_t n = pieces_.size();
    const bool others = move.pieces & 1;
    const Pieces turning = others ? all_of(n) & ~move.pieces : move.pieces;
    const int way = others ? move.turn ^ 1 : move.turn;
    const Vec axis = axis_of(move, first());
    for (std::size_t i = 1; i < n; ++i) {
        if ((turning & one(i)) == 0) continue;
        const Placed from = place(state, i);
        const Vec at = turned_box(way, axis, from.at, distances_->size(from.shape));
        for (std::size_t c = 0; c < kAxes; ++c)
            buffer_[begin + i * kAxes + c] = static_cast<std::int16_t>(at[c] - pieces_[i].at[c]);
        std::vector<int>& forms = forms_[i];
        const int shape = distances_->turned(from.shape, way);
        const auto form = std::find(forms.begin(), forms.end(), shape) - forms.begin();
        if (form == static_cast<std::ptrdiff_t>(forms.size())) forms.push_back(shape);
        buffer_[begin + n * kAxes + i] = static_cast<std::int16_t>(form);
    }
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
    for (int direction = 0; direction < 2 * distances_->motions().directions(); ++direction) {
        std::size_t most = 0;  // steps by which some pieces move without all others
        for (;; ++most) {
            if (closures_.size() == most) closures_.emplace_back();
            closures_[most].resize(n);
            if (!close(direction, static_cast<int>(most) + 1, closures_[most])) break;
        }
        if (sets_.size() < most) sets_.resize(most);
        for (std::size_t step = 0; step < most; ++step) sets_[step].clear();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t step = 0; step < most; ++step) {
                const Pieces group = closures_[step][i];
                if (static_cast<std::size_t>(std::popcount(group)) * 2 > n) break;
                const Move move{group, static_cast<std::int8_t>(direction), -1,
                                static_cast<std::uint16_t>(step + 1)};
                add_moves(state, sets_[step], move);
                if (from_.size() > limit_) return;
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
        if (move.turn >= 0 && !through(move.pieces, move) && !through(every & ~move.pieces, move))
            continue;
        moves_.push_back(move);
        hashes_.push_back(displace(state, move));
        prefetch(&table_[hashes_.back() & (table_.size() - 1)]);
        if (moves_.size() == kMovesAtOnce) settle(state);
        if (from_.size() > limit_) return;
    }
}

// Note where the pieces of a state are, cell by cell.
void Separator::occupy(std::size_t state) {
    const std::size_t n = pieces_.size();
    cells_.resize(n);
    boxes_.resize(n);
    Vec most{};
    for (std::size_t i = 0; i < n; ++i) {
        const Placed piece = place(state, i);
        const Vec& size = distances_->size(piece.shape);
        cells_[i] = distances_->cells(piece.shape);
        for (Vec& cell : cells_[i])
            for (std::size_t c = 0; c < kAxes; ++c) cell[c] += piece.at[c];
        for (std::size_t c = 0; c < kAxes; ++c) {
            boxes_[i].least[c] = piece.at[c];
            boxes_[i].most[c] = piece.at[c] + size[c] - 1;
            least_[c] = i == 0 ? boxes_[i].least[c] : std::min(least_[c], boxes_[i].least[c]);
            most[c] = i == 0 ? boxes_[i].most[c] : std::max(most[c], boxes_[i].most[c]);
        }
    }
    for (std::size_t c = 0; c < kAxes; ++c) size_[c] = most[c] - least_[c] + 1;
    stride_ = {size_[1] * size_[2], size_[2], 1};
    owners_.assign(static_cast<std::size_t>(size_[0] * stride_[0]), 0);
    for (std::size_t i = 0; i < n; ++i)
        for (const Vec& cell : cells_[i]) {
            int index = 0;
            for (std::size_t c = 0; c < kAxes; ++c) index += (cell[c] - least_[c]) * stride_[c];
            owners_[static_cast<std::size_t>(index)] = one(i);
        }
}

// The pieces that a piece meets in a turn about an axis, itself among them.
Pieces Separator::swept(std::size_t piece, int turn, const Vec& axis) {
    const Pieces every = all_of(pieces_.size());
    const std::size_t b = static_cast<std::size_t>(turn / 2 + 1) % kAxes, c = (b + 1) % kAxes;
    const int mirror = turn % 2 ? -1 : 1;  // clockwise is counter-clockwise in a mirror
    Pieces met = one(piece);
    for (const Vec& cell : cells_[piece]) {
        const int x = cell[b] - least_[b], y = cell[c] - least_[c];
        int layer = 0;
        for (std::size_t k = 0; k < kAxes; ++k)
            if (k != b && k != c) layer = (cell[k] - least_[k]) * stride_[k];
        for (const Flat& offset :
             sweeps_.of({2 * cell[b] - axis[b], mirror * (2 * cell[c] - axis[c])})) {
            const int u = x + offset.u, v = y + mirror * offset.v;
            if (u < 0 || u >= size_[b] || v < 0 || v >= size_[c]) continue;
            met |= owners_[static_cast<std::size_t>(layer + u * stride_[b] + v * stride_[c])];
        }
        if (met == every) break;
    }
    return met;
}

// Whether the axis of a turn passes through the box around some pieces.
bool Separator::through(Pieces pieces, const Move& turn) const {
    const Vec axis = axis_of(turn, first());
    const std::size_t across = static_cast<std::size_t>(turn.turn / 2);
    for (std::size_t c = 0; c < kAxes; ++c) {
        if (c == across) continue;
        bool before = false, behind = false;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if ((pieces & one(i)) == 0) continue;
            before = before || 2 * boxes_[i].least[c] - 1 <= axis[c];
            behind = behind || 2 * boxes_[i].most[c] + 1 >= axis[c];
        }
        if (!before || !behind) return false;
    }
    return true;
}

// Quarter turns of groups and their unions, as above, about the axes that pass through the box
// around the pieces that turn, or around the others. The same turn backwards has the same axis.
void Separator::expand_turns(std::size_t state) {
    const std::size_t n = pieces_.size();
    occupy(state);
    if (*std::max_element(size_.begin(), size_.end()) > kWidest) {
        limit_ = 0;  // too many axes: this counts as too many states
        return;
    }
    Sets sets;
    for (std::int8_t turn = 0; turn < kTurns; ++turn) {
        const std::size_t b = static_cast<std::size_t>(turn / 2 + 1) % kAxes, c = (b + 1) % kAxes;
        const int last[]{2 * (least_[b] + size_[b]) - 1, 2 * (least_[c] + size_[c]) - 1};
        Vec axis{};
        for (axis[b] = 2 * least_[b] - 1; axis[b] <= last[0]; ++axis[b])
            for (axis[c] = 2 * least_[c] - (axis[b] & 1); axis[c] <= last[1]; axis[c] += 2) {
                for (std::size_t i = 0; i < n; ++i) reach_[i] = swept(i, turn, axis);
                if (!complete(reach_)) continue;
                Move move{0, 0, turn};
                move.axis = {static_cast<std::int16_t>(axis[b] - 2 * first()[b]),
                             static_cast<std::int16_t>(axis[c] - 2 * first()[c])};
                sets.clear();
                for (std::size_t i = 0; i < n; ++i) {
                    move.pieces = reach_[i];
                    if (static_cast<std::size_t>(std::popcount(move.pieces)) * 2 > n) continue;
                    add_moves(state, sets, move);
                    if (from_.size() > limit_) return;
                }
            }
    }
    settle(state);
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
        close(2 * direction, 1, reach_);
        for (const Pieces set : reach_) {
            const Move move{set, static_cast<std::int8_t>(2 * direction), -1, 1};
            buffer_.clear();
            const std::uint64_t hash = displace(here, move);
            const std::size_t there = find(buffer_.data(), hash, here, move);
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
