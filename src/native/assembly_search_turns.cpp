// The part of the search that turns pieces.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "assembly_search.hpp"

namespace exactile::assembly {

Vec axis_of(const Move& move, const Vec& first) {
    Vec axis{};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t c = (static_cast<std::size_t>(move.turn / 2) + 1 + k) % kAxes;
        axis[c] = move.axis[k] + 2 * first[c];
    }
    return axis;
}

// Turn pieces of a state in its numbers that are to be moved.
void Separator::turn(std::size_t state, const Move& move) {
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
            moved_[i * kAxes + c] = static_cast<std::int16_t>(at[c] - pieces_[i].at[c]);
        std::vector<int>& forms = forms_[i];
        const int shape = distances_->turned(from.shape, way);
        const auto form = std::find(forms.begin(), forms.end(), shape) - forms.begin();
        if (form == static_cast<std::ptrdiff_t>(forms.size())) forms.push_back(shape);
        moved_[n * kAxes + i] = static_cast<std::int16_t>(form);
    }
}

// Note where the pieces of a state are, cell by cell; false if they are too far apart for that.
bool Separator::occupy(std::size_t state) {
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
    for (std::size_t c = 0; c < kAxes; ++c) {
        if (std::int64_t{most[c]} - least_[c] >= kWidest) return false;
        size_[c] = most[c] - least_[c] + 1;
    }
    stride_ = {size_[1] * size_[2], size_[2], 1};
    owners_.assign(static_cast<std::size_t>(size_[0] * stride_[0]), 0);
    for (std::size_t i = 0; i < n; ++i)
        for (const Vec& cell : cells_[i]) {
            int index = 0;
            for (std::size_t c = 0; c < kAxes; ++c) index += (cell[c] - least_[c]) * stride_[c];
            owners_[static_cast<std::size_t>(index)] = one(i);
        }
    return true;
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

// Whether a turn is one of those that are tried: its axis passes through the box around the pieces
// that turn, or around the others, and these pieces are not the larger part. Instead of the larger
// part, the smaller one turns the opposite way about the same axis.
bool Separator::turns(const Move& move) const {
    const Pieces others = all_of(pieces_.size()) & ~move.pieces;
    const auto cells = [&](Pieces pieces) {
        std::size_t sum = 0;
        for (; pieces != 0; pieces &= pieces - 1)
            sum += cells_[static_cast<std::size_t>(std::countr_zero(pieces))].size();
        return sum;
    };
    const std::size_t more = size_of(move.pieces), fewer = size_of(others);
    if (more > fewer || (more == fewer && cells(move.pieces) > cells(others))) return false;
    return through(move.pieces, move) || through(others, move);
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

// Quarter turns of groups and their unions, as in `expand`. A turn backwards has the same axis,
// which is tried, too, since boxes turn with their pieces.
void Separator::expand_turns(std::size_t state) {
    const std::size_t n = pieces_.size();
    if (!occupy(state)) {
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
                groups_.reset(n);
                for (std::size_t i = 0; i < n; ++i) groups_.add(i, swept(i, turn, axis));
                if (!groups_.complete()) continue;
                Move move{0, 0, turn};
                move.axis = {static_cast<std::int16_t>(axis[b] - 2 * first()[b]),
                             static_cast<std::int16_t>(axis[c] - 2 * first()[c])};
                sets.clear();
                for (std::size_t i = 0; i < n; ++i) {
                    move.pieces = groups_.of(i);
                    if (size_of(move.pieces) * 2 > n) continue;
                    add_moves(state, sets, move);
                    if (from_.size() > limit_) return;
                }
            }
    }
}

}  // namespace exactile::assembly
