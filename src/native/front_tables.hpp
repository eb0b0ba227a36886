// Sums over lists: tables that take them up, by rank or by hash, and the loops over the entries.
//
// Numbers are 64-bit where that is known to suffice, else of several limbs. What a table does with
// an entry is either to add it to what it has, or, when two halves are joined, to multiply both.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "front_supply.hpp"
#include "limbs.hpp"
#include "wide.hpp"

namespace exactile {

// A number of some limbs, where it lies.
struct Limbs {
    const Limb* at;
    std::size_t size;
};

inline bool is_nothing(std::uint64_t number) { return number == 0; }
inline bool is_nothing(Limbs number) { return is_zero(number.at, number.size); }

// Counts and keys of a list, as they are stored.
template <typename T>
struct Words {
    const T* at;
    std::uint64_t operator[](std::uint64_t i) const { return at[i]; }
};
struct LimbWords {
    const Limb* at;
    std::size_t size;
    Limbs operator[](std::uint64_t i) const { return {at + i * size, size}; }
};

// Load memory that is needed soon, if the compiler has a command for it.
inline void prefetch([[maybe_unused]] const void* at) {
#ifdef __GNUC__
    __builtin_prefetch(at);
#endif
}

// Key -> a number that is not 0, or 0 for a key that is new.
class KeyTable {
public:
    // Lists are written in the order of slots. A table that hashed like the one that a list comes
    // from would be filled in that order, and would clog: so each has a salt of its own.
    void clear(std::uint64_t expected, std::uint64_t salt) {
        std::size_t slots = 64;
        while (slots < expected * 2) slots *= 2;
        if (slots > slots_.size()) slots_.resize(slots);
        used_ = slots;
        shift_ = 64 - std::countr_zero(slots);
        factor_ = (0x9e3779b97f4a7c15 ^ salt * 0xbf58476d1ce4e5b9) | 1;
        size_ = 0;
        std::fill_n(slots_.begin(), used_, Slot{0, 0});
    }
    // The number of a key; a new one's is 0 and must be set.
    std::uint64_t& operator[](Key key) {
        if (size_ * 3 >= used_ * 2) grow();
        Slot& slot = slots_[place(key)];
        size_ += slot.number == 0;
        slot.key = key;
        return slot.number;
    }
    std::uint64_t find(Key key) const { return slots_[place(key)].number; }
    void ask(Key key) const { prefetch(&slots_[key * factor_ >> shift_]); }
    template <typename Use>
    void each(Use use) const {
        for (std::size_t at = 0; at < used_; ++at)
            if (slots_[at].number != 0) use(slots_[at].key, slots_[at].number);
    }
    // Write all numbers and their keys; what stands in an empty slot is written over by the next.
    template <typename Word, typename KeyWord>
    void write(Word* numbers, KeyWord* keys) const {
        std::uint64_t at = 0;
        for (std::size_t slot = 0; at < size_; ++slot) {
            numbers[at] = static_cast<Word>(slots_[slot].number);
            keys[at] = static_cast<KeyWord>(slots_[slot].key);
            at += slots_[slot].number != 0;
        }
    }
    // Which bits are set in any number.
    std::uint64_t all_bits() const {
        std::uint64_t all = 0;
        for (std::size_t slot = 0; slot < used_; ++slot) all |= slots_[slot].number;
        return all;
    }
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return sizeof(Slot) * (slots_.size() + old_.capacity()); }

private:
    struct Slot {
        Key key;
        std::uint64_t number;
    };
    // Where a key is, or is to be.
    std::size_t place(Key key) const {
        std::size_t at = key * factor_ >> shift_;
        while (slots_[at].number != 0 && slots_[at].key != key) at = (at + 1) & (used_ - 1);
        return at;
    }
    void grow() {
        old_.assign(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ *= 2;
        --shift_;
        if (used_ > slots_.size()) slots_.resize(used_);
        std::fill_n(slots_.begin(), used_, Slot{0, 0});
        for (const Slot& slot : old_)
            if (slot.number != 0) slots_[place(slot.key)] = slot;
    }

    std::vector<Slot> slots_, old_;
    std::size_t used_ = 0;
    std::uint64_t size_ = 0, factor_ = 1;
    int shift_ = 0;
};

// Where the entries of a list go: its class, and the one of the keys with the label added.
struct Passage {
    const Supply& supply;
    const Class* from;  // none if the list has keys
    const Class* to;    // none if the keys that it leads to are not ranked
    const Label& label;
};

// Call `use(key, count)` for all entries, ranked ones without the zeros.
template <typename Counts, typename Use>
void each_ranked(const Supply& supply, const Class& from, Counts counts, Use use) {
    for (const Class::Run& run : from.runs) {
        const std::vector<std::uint32_t>& lows = supply.low_values(run.low);
        for (std::size_t k = 0; k < lows.size(); ++k)
            if (const auto count = counts[run.offset + k]; !is_nothing(count))
                use(supply.join(run.high, lows[k]), count);
    }
}

// Send all entries of a ranked list to where their keys with the label have their ranks.
template <typename Counts, typename Sink>
void pass_ranked(const Passage& way, Counts counts, Sink& sink) {
    const Label& label = way.label;
    for (const Class::Run& run : way.from->runs) {
        if (!label.fits_high(run.high)) continue;
        const std::uint64_t start = way.to->start[run.high + label.high_add];
        if (!label.moves_low) {
            const std::size_t size = way.supply.low_values(run.low).size();
            sink.run(start, counts, run.offset, size);
        } else {
            for (const Label::Shift shift : label.shifts[run.low])
                sink(start + shift.to, counts[run.offset + shift.from]);
        }
    }
}

// Pass all entries of a list with keys to `sink`. Their places are ranks, or those of a hash table,
// and are prefetched some entries ahead.
template <typename Keys, typename Counts, typename Sink, typename Fits>
void pass_fitting(const Passage& way, std::uint64_t size, Keys keys, Counts counts, Sink& sink,
                  Fits fits) {
    constexpr std::uint64_t kAtOnce = 32;
    std::uint64_t at[kAtOnce], entry[kAtOnce];
    for (std::uint64_t begin = 0; begin < size; begin += kAtOnce) {
        const std::uint64_t end = std::min(size, begin + kAtOnce);
        std::size_t fitting = 0;
        for (std::uint64_t k = begin; k < end; ++k) {
            const Key key = keys[k];
            at[fitting] = key + way.label.add;
            entry[fitting] = k;
            fitting += fits(key);
        }
        if (way.to != nullptr) {
            for (std::size_t i = 0; i < fitting; ++i) {
                at[i] = way.supply.rank_of(*way.to, at[i]);
                sink.table.ask_place(at[i]);
            }
            for (std::size_t i = 0; i < fitting; ++i) sink(at[i], counts[entry[i]]);
        } else {
            for (std::size_t i = 0; i < fitting; ++i) sink.table.keys.ask(at[i]);
            for (std::size_t i = 0; i < fitting; ++i) sink.keyed(at[i], counts[entry[i]]);
        }
    }
}

template <typename Keys, typename Counts, typename Sink>
void pass_keyed(const Passage& way, std::uint64_t size, Keys keys, Counts counts, Sink& sink) {
    const Label& label = way.label;
    if (label.checks.size() == 1)  // as a rule: pieces that are used once
        pass_fitting(way, size, keys, counts, sink, [check = label.checks[0]](Key key) {
            return (key & check.mask) <= check.most;
        });
    else
        pass_fitting(way, size, keys, counts, sink, [&](Key key) { return label.fits(key); });
}

// Numbers by rank, or by key. `keys` has the narrow numbers of keys; of wide ones, the places in
// `limbs`, from 1 on.
struct Table {
    const Class* ranked = nullptr;  // places are ranks in this class; none if there are keys
    bool narrow = true;             // whether numbers are 64-bit; else they are in `limbs`
    std::size_t width = 0;          // limbs of a number
    KeyTable keys;
    std::vector<std::uint64_t> words;
    std::vector<Limb> limbs;

    // Begin anew with all numbers zero.
    void clear(const Class* by_rank, std::uint64_t expected, bool as_words, std::size_t limb_count,
               std::uint64_t salt) {
        ranked = by_rank;
        narrow = as_words;
        width = limb_count;
        if (ranked == nullptr) keys.clear(expected, salt);
        const std::uint64_t size = ranked == nullptr ? 0 : ranked->size;
        words.clear();
        limbs.clear();
        if (narrow)
            words.resize(size, 0);
        else
            limbs.resize(size * width, 0);
    }
    std::uint64_t bytes() const {
        return keys.bytes() + 8 * words.capacity() + sizeof(Limb) * limbs.capacity();
    }
    void ask_place(std::uint64_t place) const {
        if (narrow)
            prefetch(&words[place]);
        else
            prefetch(&limbs[place * width]);
    }
    // A narrow number, by its key.
    std::uint64_t& word(const Supply& supply, Key key) {
        return ranked != nullptr ? words[supply.rank_of(*ranked, key)] : keys[key];
    }
    // Where the number of a key is in `limbs`; a new one is zero.
    Limb* number(Key key) {
        std::uint64_t& found = keys[key];
        if (found == 0) {
            found = keys.size();
            limbs.resize(found * width, 0);
        }
        return &limbs[(found - 1) * width];
    }
    Limb* number(const Supply& supply, Key key) {
        return ranked != nullptr ? &limbs[supply.rank_of(*ranked, key) * width] : number(key);
    }
};

inline void add_number(Limb* to, std::size_t width, Limbs number) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < width && (carry != 0 || k < number.size); ++k) {
        carry += static_cast<std::uint64_t>(to[k]) + (k < number.size ? number.at[k] : 0);
        to[k] = static_cast<Limb>(carry);
        carry >>= 32;
    }
}

// Numbers that grow, by place.
class Sums {
public:
    void add(std::size_t place, Limbs number) {
        while (number.size > 0 && number.at[number.size - 1] == 0) --number.size;
        if (number.size == 0) return;
        if (numbers_.size() <= place) numbers_.resize(place + 1);
        std::vector<Limb>& sum = numbers_[place];
        if (sum.size() < number.size + 1) sum.resize(number.size + 1);
        add_number(sum.data(), sum.size(), number);
        if (sum.back() != 0) sum.push_back(0);
    }
    void add(const Sums& other) {
        for (std::size_t place = 0; place < other.size(); ++place) add(place, other[place]);
    }
    std::size_t size() const { return numbers_.size(); }
    Limbs operator[](std::size_t place) const {
        return {numbers_[place].data(), numbers_[place].size()};
    }

private:
    std::vector<std::vector<Limb>> numbers_;
};

// What is done with an entry that arrives at a place: it is added to the number there.
struct AddWords {
    Table& table;
    void operator()(std::uint64_t place, std::uint64_t count) { table.words[place] += count; }
    template <typename Counts>
    void run(std::uint64_t to, Counts counts, std::uint64_t from, std::size_t size) {
        std::uint64_t* const at = &table.words[to];
        for (std::size_t k = 0; k < size; ++k) at[k] += counts[from + k];
    }
    void keyed(Key key, std::uint64_t count) { table.keys[key] += count; }
};

struct AddLimbs {
    Table& table;
    void operator()(std::uint64_t place, Limbs count) {
        add_number(&table.limbs[place * table.width], table.width, count);
    }
    void run(std::uint64_t to, LimbWords counts, std::uint64_t from, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) (*this)(to + k, counts[from + k]);
    }
    void keyed(Key key, Limbs count) { add_number(table.number(key), table.width, count); }
};

// Or it is multiplied with the number there, and the products are added up.
struct MultiplyWords {
    const Table& table;
    ProductSum sum = {};
    void operator()(std::uint64_t place, std::uint64_t count) {
        sum.add(table.words[place], count);
    }
    template <typename Counts>
    void run(std::uint64_t to, Counts counts, std::uint64_t from, std::size_t size) {
        const std::uint64_t* const at = &table.words[to];
        for (std::size_t k = 0; k < size; ++k) sum.add(at[k], counts[from + k]);
    }
    void keyed(Key key, std::uint64_t count) { sum.add(table.keys.find(key), count); }
};

struct MultiplyLimbs {
    const Table& table;
    std::vector<Limb> sum;  // wide enough
    void operator()(std::uint64_t place, Limbs count) {
        const Limb* const mine = &table.limbs[place * table.width];
        for (std::size_t i = 0; i < count.size; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < sum.size() && (j < table.width || carry != 0); ++j) {
                carry += sum[i + j];
                if (j < table.width) carry += static_cast<std::uint64_t>(count.at[i]) * mine[j];
                sum[i + j] = static_cast<Limb>(carry);
                carry >>= 32;
            }
        }
    }
    void run(std::uint64_t to, LimbWords counts, std::uint64_t from, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) (*this)(to + k, counts[from + k]);
    }
    void keyed(Key key, Limbs count) {
        if (const std::uint64_t found = table.keys.find(key); found != 0) (*this)(found - 1, count);
    }
};

}  // namespace exactile
