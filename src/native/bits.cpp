#include "bits.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

// One binary for all machines: the loops below are compiled for several instruction sets, and the
// best is taken when the module is loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define EXACTILE_CLONES \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define EXACTILE_CLONES
#endif

// The clock is read once in so many words of bits, a few milliseconds.
static constexpr std::size_t kWordsPerCheck = 1 << 18;

// Stands where an item is closed; counts that lie in a byte stay below it.
static constexpr std::uint8_t kClosed = 255;
static constexpr std::size_t kVector = 64;  // bytes; rows are padded to whole vectors

using Word = std::uint64_t;

// Add up the rows of the live options, at most 254, and turn the sums into branches: count -
// surplus but at least 0, and kClosed where closed. Leaves them in `counts`; returns the least.
//
// With the number of vectors of a row known to the compiler the sums stay in registers.
template <std::size_t kVectors>
[[gnu::always_inline]] static inline std::uint8_t branches_of(
    const Word* live, std::size_t words, const std::uint8_t* rows, std::size_t vectors,
    const std::uint8_t* surplus, const std::uint8_t* closed, std::uint8_t* counts) {
    const std::size_t bytes = (kVectors ? kVectors : vectors) * kVector;
    std::uint8_t fixed[(kVectors ? kVectors : 1) * kVector] = {};
    std::uint8_t* sums = kVectors ? fixed : counts;
    if (!kVectors) std::memset(sums, 0, bytes);
    for (std::size_t w = 0; w < words; ++w) {
        for (Word rest = live[w]; rest; rest &= rest - 1) {
            const std::size_t option = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            const std::uint8_t* row = rows + option * bytes;
            for (std::size_t b = 0; b < bytes; ++b) sums[b] += row[b];
        }
    }
    std::uint8_t least = kClosed;
    for (std::size_t b = 0; b < bytes; ++b) {
        const std::uint8_t more = sums[b] > surplus[b] ? sums[b] - surplus[b] : 0;
        counts[b] = more | closed[b];
        least = std::min(least, counts[b]);
    }
    return least;
}

EXACTILE_CLONES
static std::uint8_t least_branches(const Word* live, std::size_t words, const std::uint8_t* rows,
                                   std::size_t vectors, const std::uint8_t* surplus,
                                   const std::uint8_t* closed, std::uint8_t* counts) {
    switch (vectors) {
        case 1:
            return branches_of<1>(live, words, rows, vectors, surplus, closed, counts);
        case 2:
            return branches_of<2>(live, words, rows, vectors, surplus, closed, counts);
        case 3:
            return branches_of<3>(live, words, rows, vectors, surplus, closed, counts);
        case 4:
            return branches_of<4>(live, words, rows, vectors, surplus, closed, counts);
        default:
            return branches_of<0>(live, words, rows, vectors, surplus, closed, counts);
    }
}

EXACTILE_CLONES
static std::size_t population_of_both(const Word* a, const Word* b, std::size_t words) {
    std::size_t total = 0;
    for (std::size_t w = 0; w < words; ++w)
        total += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
    return total;
}

// Copy a bit vector without the bits of some masks; return the number of bits left.
EXACTILE_CLONES
static std::size_t copy_without(const Word* here, const Word* const* masks, std::size_t count,
                                Word* below, std::size_t words) {
    std::memcpy(below, here, words * sizeof(Word));
    for (std::size_t k = 0; k < count; ++k) {
        const Word* mask = masks[k];
        for (std::size_t w = 0; w < words; ++w) below[w] &= ~mask[w];
    }
    std::size_t total = 0;
    for (std::size_t w = 0; w < words; ++w)
        total += static_cast<std::size_t>(std::popcount(below[w]));
    return total;
}

Bits::Bits(Cover cover) : cover_(std::move(cover)) {
    cover_.validate();
    const std::size_t items = static_cast<std::size_t>(cover_.items());
    const std::size_t options = static_cast<std::size_t>(cover_.options());
    for (std::size_t i = 0; i < items; ++i)
        if (cover_.lower[i] > kMostUses)
            throw std::invalid_argument("item " + std::to_string(i) + " must be used more than " +
                                        std::to_string(kMostUses) + " times");
    words_ = std::max<std::size_t>(1, (options + 63) / 64);
    bytes_ = std::max<std::size_t>(1, (items + kVector - 1) / kVector) * kVector;

    // Options that share low units stand together, so that live bits share words.
    original_.resize(options);
    std::iota(original_.begin(), original_.end(), 0);
    const auto by_second_item = [&](Index a, Index b) {
        const auto key = [&](Index o) {
            const std::int64_t k = cover_.first[o];
            return cover_.members[k + (cover_.first[o + 1] - k > 1)];
        };
        return key(a) < key(b);
    };
    std::stable_sort(original_.begin(), original_.end(), by_second_item);

    masks_.assign(items * words_, 0);
    rows_.assign(options * bytes_, 0);
    for (std::size_t o = 0; o < options; ++o) {
        const Index source = original_[o];
        for (std::int64_t k = cover_.first[source]; k < cover_.first[source + 1]; ++k) {
            const std::size_t i = static_cast<std::size_t>(cover_.members[k]);
            masks_[i * words_ + o / 64] |= Word{1} << (o % 64);
            rows_[o * bytes_ + i] = 1;
        }
    }
    live_.assign(words_, 0);
    for (std::size_t o = 0; o < options; ++o) live_[o / 64] |= Word{1} << (o % 64);
    used_.assign(items, 0);
    counts_.assign(bytes_, 0);
    closed_.assign(bytes_, kClosed);
    surplus_.assign(bytes_, 0);
    for (std::size_t i = 0; i < items; ++i) {
        if (cover_.upper[i] == 0)
            for (std::size_t w = 0; w < words_; ++w) live_[w] &= ~masks_[i * words_ + w];
        if (cover_.lower[i] == 0) continue;
        closed_[i] = 0;
        surplus_[i] = static_cast<std::uint8_t>(cover_.lower[i] - 1);
        ++open_count_;
    }
    for (const Word word : live_) live_count_ += static_cast<std::size_t>(std::popcount(word));
}

// Use every item of the option once; below it, live options do without items that are used up.
void Bits::choose(Index option, std::size_t depth) {
    const Index source = original_[option];
    finished_.clear();
    for (std::int64_t k = cover_.first[source]; k < cover_.first[source + 1]; ++k) {
        const Index i = cover_.members[k];
        ++used_[i];
        if (used_[i] == cover_.lower[i]) {
            closed_[i] = kClosed;
            --open_count_;
        }
        if (used_[i] < cover_.lower[i]) --surplus_[i];
        if (used_[i] == cover_.upper[i])
            finished_.push_back(&masks_[static_cast<std::size_t>(i) * words_]);
    }
    updates_ += finished_.size() * words_;
    live_count_ =
        copy_without(live(depth), finished_.data(), finished_.size(), live(depth + 1), words_);
}

void Bits::unchoose(Index option) {
    const Index source = original_[option];
    for (std::int64_t k = cover_.first[source]; k < cover_.first[source + 1]; ++k) {
        const Index i = cover_.members[k];
        if (used_[i] < cover_.lower[i]) ++surplus_[i];
        if (used_[i] == cover_.lower[i]) {
            closed_[i] = 0;
            ++open_count_;
        }
        --used_[i];
    }
}

// The open item with the fewest branches, the lowest number among equals; kNone if one has none.
Index Bits::pick_item(const Word* here) {
    if (live_count_ >= kClosed) return pick_among_many(here);
    const std::uint8_t least = least_branches(here, words_, rows_.data(), bytes_ / kVector,
                                              surplus_.data(), closed_.data(), counts_.data());
    if (least == 0) return kNone;
    const void* found = std::memchr(counts_.data(), least, bytes_);
    return static_cast<Index>(static_cast<const std::uint8_t*>(found) - counts_.data());
}

// The same where counts may not fit a byte: count the bits of each item's mask.
Index Bits::pick_among_many(const Word* here) const {
    Index best = kNone;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < used_.size(); ++i) {
        if (closed_[i]) continue;
        const std::size_t count = population_of_both(here, &masks_[i * words_], words_);
        if (count <= surplus_[i]) return kNone;
        if (count - surplus_[i] < fewest) {
            fewest = count - surplus_[i];
            best = static_cast<Index>(i);
        }
    }
    return best;
}

// Begin a node below the stack: decide on what to branch, note a solution. Returns false if there
// is nothing to branch on.
bool Bits::enter(Slice& slice) {
    ++nodes_;
    if (open_count_ > 0) {
        const Index item = pick_item(live(stack_.size()));
        if (item == kNone) return false;
        stack_.push_back({item, kNone, false, false});
        return true;
    }
    if (live_count_ == 0) {
        result_.clear();
        for (const Index option : chosen_) result_.push_back(original_[option]);
        slice.add(result_);
        return false;
    }
    stack_.push_back({kNone, kNone, true, false});
    return true;
}

// Move the top node to its next branch and prepare the live options below it. Returns false if it
// had none left and was taken off.
bool Bits::advance() {
    Frame& node = stack_.back();
    const std::size_t depth = stack_.size() - 1;
    if (node.option != kNone) {
        unchoose(node.option);
        chosen_.pop_back();
        node.option = kNone;
    }
    if (live_.size() < (depth + 2) * words_) live_.resize((depth + 2) * words_);
    Word* here = live(depth);
    const Word* mask =
        node.item == kNone ? nullptr : &masks_[static_cast<std::size_t>(node.item) * words_];
    for (std::size_t w = 0; w < words_ && (mask || node.optional); ++w) {
        const Word rest = mask ? here[w] & mask[w] : here[w];
        if (!rest) continue;
        if (mask && surplus_[node.item] > 0 &&
            population_of_both(here, mask, words_) <= surplus_[node.item])
            break;  // too few are left to meet the need
        node.option = static_cast<Index>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        here[w] &= ~(Word{1} << (node.option % 64));  // later branches do without it
        chosen_.push_back(node.option);
        choose(node.option, depth);
        return true;
    }
    if (node.optional && !node.skipped) {
        node.skipped = true;
        std::fill_n(live(depth + 1), words_, 0);
        live_count_ = 0;
        return true;
    }
    stack_.pop_back();
    return false;
}

bool Bits::out_of_time() {
    if (nodes_ < next_check_) return false;
    next_check_ = nodes_ + std::max<std::size_t>(1, kWordsPerCheck / words_);
    return std::chrono::steady_clock::now() >= deadline_;
}

Slice Bits::run(std::int64_t limit, double seconds) {
    Slice slice;
    deadline_ = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(seconds));
    while (!exhausted_ && static_cast<std::int64_t>(slice.ends.size()) < limit && !out_of_time()) {
        if (descending_) enter(slice);
        exhausted_ = stack_.empty();
        descending_ = !exhausted_ && advance();
    }
    slice.exhausted = exhausted_;
    return slice;
}

}  // namespace exactile
