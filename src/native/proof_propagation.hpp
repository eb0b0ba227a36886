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
//
// Clauses have numbers. Each literal that follows keeps the clause that it follows from, so that
// `hints` can list the clauses that lead to a conflict.
class Propagation {
public:
    Propagation(std::int64_t variables, const Pulse& pulse)
        : pulse_(pulse),
          value_(2 * static_cast<std::size_t>(variables) + 2),
          level_(static_cast<std::size_t>(variables) + 1),
          place_(level_.size()),
          marked_(level_.size()),
          reasons_(level_.size()),
          watches_(value_.size()) {}

    struct Pair {
        Literal a, b;
        Id id;
    };

    std::uint64_t propagations = 0;

    // Take the clauses of two literals, in little space. Called once, before anything is true.
    void add_pairs(const std::vector<Pair>& pairs) {
        pair_end_.resize(value_.size());
        for (const Pair& pair : pairs) {
            ++pair_end_[pair.a];
            ++pair_end_[pair.b];
        }
        std::size_t total = 0;
        for (std::size_t& place : pair_end_) total += std::exchange(place, total);
        pair_first_ = pair_end_;
        partners_.resize(total);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b, id] = pairs[k];
            partners_[pair_end_[a]++] = {b, id};
            partners_[pair_end_[b]++] = {a, id};
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
            conflict_ = !(assign(assumptions_.back(), {}) && propagate());
        }
        return conflict_;
    }

    // The clauses that lead to the conflict after `implies` of a normalized lemma, in the order of
    // their use. If one of its literals has become true, the clause that the first one follows from
    // is where the conflict lies.
    std::vector<Id> hints(const Clause& lemma) {
        ++now_;
        Literal true_one = 0;
        for (const Literal literal : lemma) {
            const std::size_t variable = literal / 2;
            if (value_[literal] <= 0)
                marked_[variable] = now_;
            else if (true_one == 0 || place_[variable] < place_[true_one / 2])
                true_one = literal;
        }
        std::vector<std::uint32_t> used;  // places on the trail
        const auto mark = [&](Literal literal) {
            if (std::exchange(marked_[literal / 2], now_) != now_)
                used.push_back(place_[literal / 2]);
        };
        const Reason last = true_one == 0 ? Reason{conflict_id_} : reasons_[true_one / 2];
        if (true_one == 0) {
            std::ranges::for_each(conflict_clause_, mark);
        } else {
            marked_[true_one / 2] = now_;
            for_each_literal(last, true_one, mark);
        }
        for (std::size_t k = 0; k < used.size(); ++k) {
            const Literal literal = trail_[used[k]];
            for_each_literal(reasons_[literal / 2], literal, mark);
        }
        std::ranges::sort(used);
        std::vector<Id> ids;
        for (const std::uint32_t place : used) ids.push_back(reasons_[trail_[place] / 2].id);
        ids.push_back(last.id);
        return ids;
    }

    // Hand each literal that has come to follow from the clauses alone to `take`, with the clauses
    // that it follows from; it returns the number of the clause of this literal.
    template <typename Take>
    void take_facts(const Take& take) {
        const std::size_t end = starts_.empty() ? trail_.size() : starts_[0];
        for (; facts_ < end; ++facts_) {
            const Literal literal = trail_[facts_];
            Reason& reason = reasons_[literal / 2];
            std::vector<Id> ids;
            for_each_literal(reason, literal, [&](Literal other) {
                if (other != literal) ids.push_back(reasons_[other / 2].id);
            });
            if (ids.empty()) continue;  // it is a clause already
            ids.push_back(reason.id);
            reason = {take(literal, ids)};
        }
    }

    // Whether there is a conflict without any assumption.
    bool is_refuted() const { return conflict_ && assumptions_.empty(); }

    // Add a normalized clause.
    void add(Clause clause, Id id) {
        // To the front come the two literals that are not false, or false only from late levels on.
        const auto later = [this](Literal a, Literal b) { return false_from(a) > false_from(b); };
        const auto front = std::min<std::ptrdiff_t>(2, std::ssize(clause));
        std::partial_sort(clause.begin(), clause.begin() + front, clause.end(), later);
        const std::size_t first = clause.empty() ? 0 : false_from(clause[0]);
        const std::size_t second = clause.size() < 2 ? 0 : false_from(clause[1]);
        Reason reason{id};
        if (clause.size() > 1) reason.clause = store(clause, id);
        if (first == 0) {
            go_back(0);
            conflict_ = true;
            conflict_clause_ = clause;
            conflict_id_ = id;
        } else if (first > second) {  // its first literal follows on level `second`
            go_back(second);
            conflict_ = conflict_ || !(assign(clause[0], reason) && propagate());
        } else if (first != kNever) {  // there is a conflict on level `first`
            go_back(first - 1);
        }
    }

    // Delete a normalized clause; return its number, 0 if there is none.
    Id remove(const Clause& clause) {
        if (clause.size() < 2) return 0;
        Id gone = forget(clause);
        if (gone == 0 && clause.size() == 2) gone = forget_pair(clause);
        if (gone == 0) return 0;
        // Levels that may depend on it go as well, except level 0.
        std::size_t level = assumptions_.size();
        int holding = 0;
        for (const Literal literal : clause) {
            if (value_[literal] == 0) return gone;
            if (value_[literal] > 0) {
                ++holding;
                level = level_[literal / 2];
            }
        }
        if (holding < 2 && level > 0) go_back(level - 1);
        return gone;
    }

private:
    using Place = std::uint32_t;  // of a clause in literals_: number, length, and the literals

    static constexpr Place kNowhere = std::numeric_limits<Place>::max();

    // The clause that a literal follows from: of two literals, a longer one, or the literal alone.
    struct Reason {
        Id id = 0;
        Literal partner = 0;
        Place clause = kNowhere;
    };

    struct Partner {
        Literal literal;
        Id id;
    };

    struct Watch {
        Place clause;
        Literal other;  // a literal of the clause; if it is true there is nothing to do
    };

    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

    std::size_t false_from(Literal literal) const {
        return value_[literal] < 0 ? level_[literal / 2] : kNever;
    }

    template <typename Take>
    void for_each_literal(const Reason& reason, Literal own, const Take& take) const {
        if (reason.clause != kNowhere) {
            const Literal* const clause = &literals_[reason.clause + 2];
            std::for_each(clause, clause + clause[-1], take);
            return;
        }
        take(own);
        if (reason.partner != 0) take(reason.partner);
    }

    // Note the clause whose literals are all false.
    bool blame(Literal literal, const Reason& reason) {
        conflict_clause_.clear();
        for_each_literal(reason, literal, [&](Literal x) { conflict_clause_.push_back(x); });
        conflict_id_ = reason.id;
        return false;
    }

    // Make a literal true; false if it is false already.
    bool assign(Literal literal, const Reason& reason) {
        if (value_[literal] > 0) return true;
        if (value_[literal] < 0) return blame(literal, reason);
        value_[literal] = 1;
        value_[negation(literal)] = -1;
        level_[literal / 2] = static_cast<std::uint32_t>(assumptions_.size());
        place_[literal / 2] = static_cast<std::uint32_t>(trail_.size());
        reasons_[literal / 2] = reason;
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
                    if (!assign(partners_[k].literal, {partners_[k].id, failed})) return false;
            } else if (others_done_ < trail_.size()) {
                if (!visit(negation(trail_[others_done_++]))) return false;
            } else {
                return true;
            }
        }
    }

    // Visit the clauses that watch a literal, which is now false. Each has two watches, its first
    // literals.
    bool visit(Literal failed) {
        std::vector<Watch>& watches = watches_[failed];
        std::size_t kept = 0;
        bool fine = true;
        for (std::size_t k = 0; k < watches.size(); ++k) {
            const Watch watch = watches[kept++] = watches[k];
            if (!fine || value_[watch.other] > 0) continue;
            Literal* const clause = &literals_[watch.clause + 2];
            Literal* const end = clause + clause[-1];
            if (clause[0] == failed) std::swap(clause[0], clause[1]);
            if (value_[clause[0]] > 0) continue;
            Literal* const spare =
                std::find_if(clause + 2, end, [this](Literal other) { return value_[other] >= 0; });
            if (spare == end) {
                fine = assign(clause[0], {clause[-2], 0, watch.clause});
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
    Place store(const Clause& clause, Id id) {
        std::vector<Place>& gaps = gaps_[clause.size()];
        if (gaps.empty()) {
            if (literals_.size() + clause.size() + 2 >= kNowhere) throw std::bad_alloc();
            gaps.push_back(static_cast<Place>(literals_.size()));
            literals_.resize(literals_.size() + 2 + clause.size());
        }
        const Place place = gaps.back();
        gaps.pop_back();
        literals_[place] = id;
        literals_[place + 1] = static_cast<Literal>(clause.size());
        std::copy(clause.begin(), clause.end(), &literals_[place + 2]);
        watches_[clause[0]].push_back({place, clause[1]});
        watches_[clause[1]].push_back({place, clause[0]});
        places_.emplace(key(clause), place);
        return place;
    }

    Id forget(const Clause& clause) {
        const auto [begin, end] = places_.equal_range(key(clause));
        for (auto entry = begin; entry != end; ++entry) {
            const Place place = entry->second;
            const Literal* const found = &literals_[place + 2];
            Clause sorted(found, found + found[-1]);
            if (normalize(sorted); sorted != clause) continue;
            for (const Literal watched : {found[0], found[1]})
                std::erase_if(watches_[watched],
                              [place](const Watch& watch) { return watch.clause == place; });
            gaps_[clause.size()].push_back(place);
            places_.erase(entry);
            return found[-2];
        }
        return 0;
    }

    Id forget_pair(const Clause& clause) {
        const Id gone = forget_partner(clause[0], clause[1], 0);
        if (gone != 0) forget_partner(clause[1], clause[0], gone);
        return gone;
    }

    // Forget a partner of a literal; if `id` is not 0, that of this clause.
    Id forget_partner(Literal literal, Literal partner, Id id) {
        for (std::size_t k = pair_first_[literal]; k < pair_end_[literal]; ++k) {
            if (partners_[k].literal != partner || (id != 0 && partners_[k].id != id)) continue;
            std::swap(partners_[k], partners_[--pair_end_[literal]]);
            return partners_[pair_end_[literal]].id;
        }
        return 0;
    }

    const Pulse& pulse_;
    std::vector<std::int8_t> value_;  // of a literal: 1 true, -1 false, 0 open
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> place_;   // of a variable's literal on the trail
    std::vector<std::uint32_t> marked_;  // variables marked by the last call of `hints`: now_
    std::uint32_t now_ = 0;
    std::vector<Reason> reasons_;  // of a variable; of an assumption, none
    std::vector<Literal> trail_;   // true literals, in the order in which they became true
    std::vector<Literal> assumptions_;
    std::vector<std::size_t> starts_;  // where levels 1, 2, ... begin on the trail
    std::size_t pairs_done_ = 0;       // the part of the trail that is processed
    std::size_t others_done_ = 0;
    std::size_t facts_ = 0;   // the part of the trail that `take_facts` has handed out
    bool conflict_ = false;   // on the last level, which is incomplete then
    Clause conflict_clause_;  // all of its literals are false
    Id conflict_id_ = 0;

    std::vector<std::size_t> pair_first_, pair_end_;  // of a literal, in partners_
    std::vector<Partner> partners_;                   // x for a, where {a, x} is a clause
    std::vector<Literal> literals_;                   // all other clauses
    std::vector<std::vector<Watch>> watches_;
    std::unordered_multimap<std::uint64_t, Place> places_;      // by the key of a clause
    std::unordered_map<std::size_t, std::vector<Place>> gaps_;  // by length
};

}  // namespace exactile::proof
