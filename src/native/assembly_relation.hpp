// Which pieces have to follow which others, and the closure of this relation: the groups of pieces
// that move together.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exactile::assembly {

using Pieces = std::uint64_t;  // a set of pieces of an assembly
constexpr std::size_t kMostPieces = 64;

inline Pieces one(std::size_t piece) { return Pieces{1} << piece; }

inline Pieces all_of(std::size_t pieces) { return pieces == 64 ? ~Pieces{0} : one(pieces) - 1; }

// Processors need not have an instruction for this.
inline std::size_t size_of(Pieces pieces) {
    static constexpr auto kSizes = [] {
        std::array<std::uint8_t, 256> sizes{};
        for (std::size_t set = 1; set < sizes.size(); ++set)
            sizes[set] = static_cast<std::uint8_t>(sizes[set / 2] + set % 2);
        return sizes;
    }();
    std::size_t size = 0;
    for (; pieces != 0; pieces >>= 8) size += kSizes[pieces & 0xFF];
    return size;
}

// A set of pieces for each piece. Those of up to eight pieces are the bytes of one word.
class Relation {
public:
    Relation() = default;
    Relation(const Relation&) = default;
    Relation& operator=(const Relation& other) {
        pieces_ = other.pieces_;
        word_ = other.word_;
        if (!small()) rows_ = other.rows_;
        return *this;
    }
    ~Relation() = default;
    // Each piece's set is the piece alone.
    void reset(std::size_t pieces) {
        pieces_ = pieces;
        word_ = kDiagonal;
        if (small()) return;
        rows_.resize(pieces);
        for (std::size_t i = 0; i < pieces; ++i) rows_[i] = one(i);
    }
    // Each piece's set is empty.
    void clear(std::size_t pieces) {
        pieces_ = pieces;
        word_ = 0;
        if (!small()) rows_.assign(pieces, 0);
    }
    // Add the sets of a transitive relation; returns whether this one had others.
    bool join(const Relation& other) {
        const std::uint64_t before = word_;
        word_ |= other.word_;
        if (small()) return before != 0;
        bool some = false;
        for (std::size_t i = 0; i < pieces_; ++i) {
            some |= rows_[i] != 0;
            rows_[i] |= other.rows_[i];
        }
        return some;
    }
    void add(std::size_t piece, Pieces others) {
        if (small())
            word_ |= others << kSmall * piece;
        else
            rows_[piece] |= others;
    }
    // Bit 0: add the second piece to the set of the first; bit 1: the first to that of the second.
    void add_pair(std::size_t first, std::size_t second, std::uint64_t bits) {
        if (small()) {
            word_ |= kPairs[first][second][bits];
        } else {
            rows_[first] |= (bits & 1) << second;
            rows_[second] |= (bits >> 1) << first;
        }
    }
    Pieces of(std::size_t piece) const {
        return small() ? word_ >> kSmall * piece & 0xFF : rows_[piece];
    }
    // The pieces whose sets have at most some number of pieces.
    Pieces with_at_most(std::size_t most) const {
        Pieces result = 0;
        if (!small()) {
            for (std::size_t i = 0; i < pieces_; ++i)
                result |= Pieces{size_of(rows_[i]) <= most} << i;
            return result;
        }
        // The sizes of all bytes at once; then the top bit of each that is larger.
        std::uint64_t sizes = word_ - (word_ >> 1 & 0x55 * kColumn);
        sizes = (sizes & 0x33 * kColumn) + (sizes >> 2 & 0x33 * kColumn);
        sizes = (sizes + (sizes >> 4)) & 0x0F * kColumn;
        const std::uint64_t larger = (sizes + (0x7F - most) * kColumn) >> 7 & kColumn;
        // Gather the lowest bits of the bytes.
        return ~(larger * 0x0102040810204080U >> 56) & all_of(pieces_);
    }
    // Each piece's set becomes the set of the pieces whose sets contain it.
    void transpose() {
        if (!small()) {
            std::vector<Pieces> before(pieces_);
            before.swap(rows_);
            for (std::size_t i = 0; i < pieces_; ++i)
                for (Pieces left = before[i]; left != 0; left &= left - 1)
                    rows_[static_cast<std::size_t>(std::countr_zero(left))] |= one(i);
            return;
        }
        // Swap single bits, then squares of two by two, then of four by four across the diagonal.
        const auto swap = [&](int shift, std::uint64_t above) {
            const std::uint64_t changed = (word_ ^ word_ >> shift) & above;
            word_ ^= changed ^ changed << shift;
        };
        swap(7, 0x00AA00AA00AA00AAU);
        swap(14, 0x0000CCCC0000CCCCU);
        swap(28, 0x00000000F0F0F0F0U);
    }
    // Make the relation transitive; returns whether some set lacks a piece.
    bool complete() {
        if (!small()) return complete_rows();
        for (std::size_t k = 0; k < pieces_; ++k)
            word_ |= (word_ >> k & kColumn) * (word_ >> kSmall * k & 0xFF);
        const std::uint64_t used =
            pieces_ == kSmall ? ~std::uint64_t{0} : (std::uint64_t{1} << kSmall * pieces_) - 1;
        return ((word_ ^ kColumn * all_of(pieces_)) & used) != 0;
    }

private:
    static constexpr std::size_t kSmall = 8;
    static constexpr std::uint64_t kDiagonal = 0x8040201008040201U;
    static constexpr std::uint64_t kColumn = 0x0101010101010101U;

    // first, second, bits -> what is added
    static constexpr auto kPairs = [] {
        std::array<std::array<std::array<std::uint64_t, 4>, kSmall>, kSmall> pairs{};
        for (std::size_t i = 0; i < kSmall; ++i)
            for (std::size_t j = 0; j < kSmall; ++j)
                for (std::uint64_t bits = 0; bits < 4; ++bits)
                    pairs[i][j][bits] = (bits & 1) << (kSmall * i + j) | (bits >> 1)
                                                                             << (kSmall * j + i);
        return pairs;
    }();

    bool small() const { return pieces_ <= kSmall; }

    bool complete_rows() {
        const Pieces every = all_of(pieces_);
        // Usually all follow each other: the first follows all, and all follow the first.
        Pieces after = rows_[0], before = 1;
        for (Pieces fresh = after; fresh != 0;) {
            Pieces next = 0;
            for (; fresh != 0; fresh &= fresh - 1)
                next |= rows_[static_cast<std::size_t>(std::countr_zero(fresh))];
            fresh = next & ~after;
            after |= next;
        }
        for (Pieces known = 0; after == every && known != before;) {
            known = before;
            for (std::size_t i = 0; i < pieces_; ++i)
                before |= Pieces{(rows_[i] & before) != 0} << i;
        }
        if (before == every) {
            rows_.assign(pieces_, every);
            return false;
        }
        for (std::size_t k = 0; k < pieces_; ++k)
            for (std::size_t i = 0; i < pieces_; ++i) rows_[i] |= rows_[k] & -(rows_[i] >> k & 1);
        return true;
    }

    std::size_t pieces_ = 0;
    std::uint64_t word_ = 0;
    std::vector<Pieces> rows_;  // of more than eight
};

}  // namespace exactile::assembly
