#include "equal_rows.hpp"

#include <algorithm>
#include <bit>

#include "hashing.hpp"

namespace exactile {

static constexpr std::size_t kPart = 2048;  // rows about, so that their table is in a cache
static constexpr int kMostBits = 9;         // more parts are slow to write side by side
static constexpr int kRowBits = 32;
static constexpr std::uint64_t kRow = 0xffffffff;  // the others are those of a hash
static constexpr std::size_t kAhead = 12;          // matches from a fetch to its use

const std::uint32_t* EqualRows::find(const std::uint64_t* rows, std::size_t words,
                                     std::size_t count) {
    rows_ = rows;
    words_ = words;
    count_ = count;
    if (first_.size() < count) first_.resize(count);
    switch (words) {
        case 2:
            find_rows<2>();
            break;
        case 3:
            find_rows<3>();
            break;
        default:
            find_rows<0>();
    }
    return first_.data();
}

template <std::size_t Words>
void EqualRows::find_rows() {
    const int bits = std::min(kMostBits, static_cast<int>(std::bit_width(count_ / kPart)));
    part_by_hash<Words>(bits);
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        find_in<Words, false>(begin, end);
        if (!confirmed<Words>()) find_in<Words, true>(begin, end);
        begin = end;
    }
}

template <std::size_t Words>
void EqualRows::part_by_hash(int bits) {
    const std::size_t words = Words > 0 ? Words : words_;
    const std::uint64_t last = (std::uint64_t{1} << bits) - 1;
    if (hashes_.size() < count_) {
        parted_.resize(count_);
        hashes_.resize(count_);
    }
    ends_.assign(last + 1, 0);
    for (std::size_t k = 0; k < count_; ++k) {
        const std::uint64_t hash = hash_of<Words>(rows_ + k * words, words_) >> unused_;
        hashes_[k] = hash;
        first_[k] = static_cast<std::uint32_t>(k);
        ++ends_[hash & last];
    }
    std::size_t begin = 0;
    for (std::size_t& end : ends_) {
        const std::size_t size = end;
        end = begin;
        begin += size;
    }
    for (std::size_t k = 0; k < count_; ++k)
        parted_[ends_[hashes_[k] & last]++] = (hashes_[k] & ~kRow) | k;
}

template <std::size_t Words>
bool EqualRows::same(std::size_t a, std::size_t b) const {
    const std::size_t words = Words > 0 ? Words : words_;
    std::uint64_t differ = 0;
    for (std::size_t w = 0; w < words; ++w) differ |= rows_[a * words + w] ^ rows_[b * words + w];
    return differ == 0;
}

// The rows of a part, in their order; if it is not careful, rows of the same hash count as equal
// and are noted.
template <std::size_t Words, bool Careful>
void EqualRows::find_in(std::size_t begin, std::size_t end) {
    const std::size_t size = std::bit_ceil(2 * (end - begin) + 2);
    if (table_.size() < size) table_.resize(size);
    std::fill_n(table_.begin(), size, 0);
    matched_.clear();
    for (std::size_t k = begin; k < end; ++k) {
        const std::uint64_t hash = parted_[k];
        const auto row = static_cast<std::uint32_t>(hash & kRow);
        std::size_t at = hash >> kRowBits & (size - 1);
        std::uint32_t first = row;
        for (; table_[at] != 0; at = (at + 1) & (size - 1)) {
            if (((table_[at] ^ hash) & ~kRow) != 0) continue;
            const auto other = static_cast<std::uint32_t>((table_[at] & kRow) - 1);
            if (Careful && !same<Words>(row, other)) continue;
            first = other;
            break;
        }
        if (first == row) {
            table_[at] = (hash & ~kRow) | (row + std::uint64_t{1});
            if (Careful) first_[row] = row;
        } else {
            first_[row] = first;
            if (!Careful) matched_.push_back(row);
        }
    }
}

template <std::size_t Words>
bool EqualRows::confirmed() const {
    const std::size_t words = Words > 0 ? Words : words_;
    for (std::size_t k = 0; k < matched_.size(); ++k) {
        if (k + kAhead < matched_.size()) {
            const std::uint32_t next = matched_[k + kAhead];
            __builtin_prefetch(rows_ + next * words);
            __builtin_prefetch(rows_ + first_[next] * words);
        }
        if (!same<Words>(matched_[k], first_[matched_[k]])) return false;
    }
    return true;
}

}  // namespace exactile
