// Unit propagation: what follows from clauses if clauses of which a single literal is left are
// applied again and again.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "proof_reader.hpp"

namespace exactile::proof {

// Clauses, and what follows by unit propagation from them and from a list of assumptions.
//
// Each assumption opens a level. The levels up to k hold exactly what follows from the first k
// assumptions. So when the next list of assumptions begins like the last one, the levels of the
// common beginning stay as they are. Level 0 follows from the clauses alone; it stays for ever,
// even if a clause that it came from is deleted, as is the custom.
class Propagation {
public:
    Propagation(std::int64_t variables, const Pulse& pulse)
        : pulse_(pulse),
          value_(2 * static_cast<std::size_t>(variables) + 2),
          level_(static_cast<std::size_t>(variables) + 1),
          watches_(value_.size()) {}

    std::uint64_t propagations = 0;

    // Take the clauses of two literals, in little space. Called once, before anything is true.
    void add_pairs(const std::vector<std::pair<Literal, Literal>>& pairs) {
        pair_end_.resize(value_.size());
        for (const auto& [a, b] : pairs) {
            ++pair_end_[a];
            ++pair_end_[b];
        }
        std::size_t total = 0;
        for (std::size_t& place : pair_end_) total += std::exchange(place, total);
        pair_first_ = pair_end_;
        partners_.resize(total);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b] = pairs[k];
            partners_[pair_end_[a]++] = b;
            partners_[pair_end_[b]++] = a;
            if (k % (1 << 20) == 0) pulse_();
        }
    }

    // Whether there is a conflict once all literals of a clause are assumed to be false.
    bool implies(const Clause& clause) {
        std::size_t kept = 0;
        while (kept < std::min(clause.size(), assumptions_.size()) &&
               assumptions_[kept] == negation(clause[kept]))
            ++kept;
        go_back(kept);
        for (; !conflict_ && kept < clause.size(); ++kept) {
            assumptions_.push_back(negation(clause[kept]));
            starts_.push_back(trail_.size());
            conflict_ = !(assign(assumptions_.back()) && propagate());
        }
        return conflict_;
    }

    // Add a normalized clause.
    void add(Clause clause) {
        // To the front come the two literals that are not false, or false only from late levels on.
        const auto later = [this](Literal a, Literal b) { return false_from(a) > false_from(b); };
        const auto front = std::min<std::ptrdiff_t>(2, std::ssize(clause));
        std::partial_sort(clause.begin(), clause.begin() + front, clause.end(), later);
        const std::size_t first = clause.empty() ? 0 : false_from(clause[0]);
        const std::size_t second = clause.size() < 2 ? 0 : false_from(clause[1]);
        if (clause.size() > 1) store(clause);
        if (first == 0) {
            go_back(0);
            conflict_ = true;
        } else if (first > second) {  // its first literal follows on level `second`
            go_back(second);
            conflict_ = conflict_ || !(assign(clause[0]) && propagate());
        } else if (first != kNever) {  // there is a conflict on level `first`
            go_back(first - 1);
        }
    }

    // Delete a normalized clause; false if there is none.
    bool remove(const Clause& clause) {
        if (clause.size() < 2 || !(forget(clause) || forget_pair(clause))) return false;
        // The levels that may owe something to it go as well, but for level 0.
        std::size_t level = assumptions_.size();
        int holding = 0;
        for (const Literal literal : clause) {
            if (value_[literal] == 0) return true;
            if (value_[literal] > 0) {
                ++holding;
                level = level_[literal / 2];
            }
        }
        if (holding < 2 && level > 0) go_back(level - 1);
        return true;
    }

private:
    using Place = std::uint32_t;  // of a clause in literals_: its length, then its literals

    struct Watch {
        Place clause;
        Literal other;  // a literal of the clause; if it is true there is nothing to do
    };

    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

    std::size_t false_from(Literal literal) const {
        return value_[literal] < 0 ? level_[literal / 2] : kNever;
    }

    // Make a literal true; false if it is false already.
    bool assign(Literal literal) {
        if (value_[literal] != 0) return value_[literal] > 0;
        value_[literal] = 1;
        value_[negation(literal)] = -1;
        level_[literal / 2] = static_cast<std::uint32_t>(assumptions_.size());
        trail_.push_back(literal);
        if (++propagations % 256 == 0) pulse_();
        return true;
    }

    void go_back(std::size_t level) {
        if (level >= assumptions_.size()) return;
        for (; trail_.size() > starts_[level]; trail_.pop_back())
            value_[trail_.back()] = value_[negation(trail_.back())] = 0;
        starts_.resize(level);
        assumptions_.resize(level);
        pairs_done_ = others_done_ = trail_.size();
        conflict_ = false;
    }

    // Make true what follows; false at a conflict.
    bool propagate() {
        for (;;) {
            if (pairs_done_ < trail_.size()) {
                const Literal failed = negation(trail_[pairs_done_++]);
                for (std::size_t k = pair_first_[failed]; k < pair_end_[failed]; ++k)
                    if (!assign(partners_[k])) return false;
            } else if (others_done_ < trail_.size()) {
                if (!visit(negation(trail_[others_done_++]))) return false;
            } else {
                return true;
            }
        }
    }

    // Look at the clauses that watch a literal, now false. Each has two watches, its first
    // literals.
    bool visit(Literal failed) {
        std::vector<Watch>& watches = watches_[failed];
        std::size_t kept = 0;
        bool fine = true;
        for (std::size_t k = 0; k < watches.size(); ++k) {
            const Watch watch = watches[kept++] = watches[k];
            if (!fine || value_[watch.other] > 0) continue;
            Literal* const clause = &literals_[watch.clause + 1];
            Literal* const end = clause + clause[-1];
            if (clause[0] == failed) std::swap(clause[0], clause[1]);
            if (value_[clause[0]] > 0) continue;
            Literal* const spare =
                std::find_if(clause + 2, end, [this](Literal other) { return value_[other] >= 0; });
            if (spare == end) {
                fine = assign(clause[0]);
            } else {
                std::swap(clause[1], *spare);
                watches_[clause[1]].push_back({watch.clause, clause[0]});
                --kept;
            }
        }
        watches.resize(kept);
        return fine;
    }

    static std::uint64_t key(const Clause& clause) {
        std::uint64_t key = 0;  // the same for every order of the literals
        for (const Literal literal : clause) {
            const std::uint64_t mixed = (literal + 1) * 0x9E3779B97F4A7C15u;
            key += (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
        }
        return key;
    }

    // Keep a clause and watch its first two literals.
    void store(const Clause& clause) {
        std::vector<Place>& gaps = gaps_[clause.size()];
        if (gaps.empty()) {
            if (literals_.size() + clause.size() >= std::numeric_limits<Place>::max())
                throw std::bad_alloc();
            gaps.push_back(static_cast<Place>(literals_.size()));
            literals_.resize(literals_.size() + 1 + clause.size());
        }
        const Place place = gaps.back();
        gaps.pop_back();
        literals_[place] = static_cast<Literal>(clause.size());
        std::copy(clause.begin(), clause.end(), &literals_[place + 1]);
        watches_[clause[0]].push_back({place, clause[1]});
        watches_[clause[1]].push_back({place, clause[0]});
        places_.emplace(key(clause), place);
    }

    bool forget(const Clause& clause) {
        const auto [begin, end] = places_.equal_range(key(clause));
        for (auto entry = begin; entry != end; ++entry) {
            const Place place = entry->second;
            const Literal* const found = &literals_[place + 1];
            Clause sorted(found, found + found[-1]);
            if (normalize(sorted); sorted != clause) continue;
            for (const Literal watched : {found[0], found[1]})
                std::erase_if(watches_[watched],
                              [place](const Watch& watch) { return watch.clause == place; });
            gaps_[clause.size()].push_back(place);
            places_.erase(entry);
            return true;
        }
        return false;
    }

    bool forget_pair(const Clause& clause) {
        return clause.size() == 2 && forget_partner(clause[0], clause[1]) &&
               forget_partner(clause[1], clause[0]);
    }

    bool forget_partner(Literal literal, Literal partner) {
        for (std::size_t k = pair_first_[literal]; k < pair_end_[literal]; ++k)
            if (partners_[k] == partner) {
                std::swap(partners_[k], partners_[--pair_end_[literal]]);
                return true;
            }
        return false;
    }

    const Pulse& pulse_;
    std::vector<std::int8_t> value_;  // of a literal: 1 true, -1 false, 0 open
    std::vector<std::uint32_t> level_;
    std::vector<Literal> trail_;  // true literals, in the order in which they became true
    std::vector<Literal> assumptions_;
    std::vector<std::size_t> starts_;  // where levels 1, 2, ... begin on the trail
    std::size_t pairs_done_ = 0;       // the part of the trail that is processed
    std::size_t others_done_ = 0;
    bool conflict_ = false;  // on the last level, which is incomplete then

    std::vector<std::size_t> pair_first_, pair_end_;  // of a literal, in partners_
    std::vector<Literal> partners_;                   // x for a, where {a, x} is a clause
    std::vector<Literal> literals_;                   // all other clauses
    std::vector<std::vector<Watch>> watches_;
    std::unordered_multimap<std::uint64_t, Place> places_;      // by the key of a clause
    std::unordered_map<std::size_t, std::vector<Place>> gaps_;  // by length
};

}  // namespace exactile::proof
