#include "proof_checker.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "proof_propagation.hpp"
#include "proof_reader.hpp"

namespace exactile {

using namespace proof;

static void check_drup(Reader& formula, Reader& proof, const Literals& assumed, CheckedProof& done,
                       const Pulse& pulse) {
    const Header header = read_header(formula);
    Propagation clauses(header.variables, pulse);
    Clause units;
    std::vector<std::pair<Literal, Literal>> pairs;
    read_clauses(formula, header, assumed, [&](Clause& clause) {
        if (!normalize(clause)) return;
        if (clause.size() == 1)
            units.push_back(clause[0]);
        else if (clause.size() == 2)
            pairs.emplace_back(clause[0], clause[1]);
        else
            clauses.add(clause);
    });
    clauses.add_pairs(pairs);
    pairs = {};
    for (const Literal unit : units) clauses.add({unit});
    Clause clause;
    while (proof.next_line()) {
        const bool deletion = proof.word("d");
        proof.clause(clause, header.variables);
        proof.end_line();
        if (deletion) {
            done.deletions += normalize(clause) && clauses.remove(clause);
            continue;
        }
        if (!clauses.implies(clause))
            proof.refuse("the lemma does not follow by unit propagation (RAT is not supported)");
        ++done.lemmas;
        done.propagations = clauses.propagations;
        if (clause.empty()) return;
        if (normalize(clause)) clauses.add(clause);
    }
    proof.refuse("the proof ends without the empty clause");
}

// --- hints

namespace {

// Clauses by number. Those of the formula may be millions and lie one behind the other.
class Numbered {
public:
    void add(const Clause& clause) {
        literals_.insert(literals_.end(), clause.begin(), clause.end());
        ends_.push_back(literals_.size());
        deleted_.push_back(false);
    }

    void add_lemma(std::int64_t id, const Clause& clause) { lemmas_.emplace(id, clause); }

    std::int64_t size() const { return std::ssize(deleted_) - 1; }  // not counting lemmas

    std::optional<std::span<const Literal>> find(std::int64_t id) const {
        const auto place = static_cast<std::size_t>(id);
        if (id > 0 && id <= size() && !deleted_[place])
            return std::span(literals_).subspan(ends_[place - 1], ends_[place] - ends_[place - 1]);
        const auto lemma = lemmas_.find(id);
        return lemma == lemmas_.end() ? std::nullopt : std::optional(std::span(lemma->second));
    }

    bool remove(std::int64_t id) {
        if (!find(id)) return false;
        if (id <= size())
            deleted_[static_cast<std::size_t>(id)] = true;
        else
            lemmas_.erase(id);
        return true;
    }

private:
    Clause literals_;
    std::vector<std::size_t> ends_ = {0};
    std::vector<bool> deleted_ = {true};
    std::unordered_map<std::int64_t, Clause> lemmas_;
};

}  // namespace

static void check_lrat(Reader& formula, Reader& proof, const Literals& assumed, CheckedProof& done,
                       const Pulse& pulse) {
    const Header header = read_header(formula);
    Numbered clauses;
    read_clauses(formula, header, assumed, [&](const Clause& clause) { clauses.add(clause); });
    std::vector<std::uint64_t> failed(2 * static_cast<std::size_t>(header.variables) + 2);
    Clause lemma;
    for (std::int64_t last = clauses.size(); proof.next_line();) {
        const std::int64_t id = proof.number("the number of a clause");
        if (id < 1) proof.refuse("clauses have numbers from 1 on");
        if (proof.word("d")) {
            while (const std::int64_t gone = proof.number("the number of a clause or a 0")) {
                if (!clauses.remove(gone)) proof.refuse("no clause " + std::to_string(gone));
                ++done.deletions;
            }
            proof.end_line();
            continue;
        }
        if (id <= last) proof.refuse("the numbers of clauses must increase");
        proof.clause(lemma, header.variables);
        const std::uint64_t now = ++done.lemmas;  // failed[x] == now: x is false
        for (const Literal literal : lemma) failed[literal] = now;
        bool conflict = false;
        while (const std::int64_t hint = proof.number("a hint or the closing 0")) {
            if (hint < 0) proof.refuse("a hint below 0 (RAT is not supported)");
            if (conflict) continue;
            const auto clause = clauses.find(hint);
            if (!clause) proof.refuse("the hint " + std::to_string(hint) + " is not a clause");
            if (++done.propagations % 256 == 0) pulse();
            const auto open = [&](Literal literal) { return failed[literal] != now; };
            const auto unit = std::find_if(clause->begin(), clause->end(), open);
            conflict = unit == clause->end();
            if (conflict) continue;
            const auto other = [&](Literal literal) { return literal != *unit && open(literal); };
            if (std::any_of(unit, clause->end(), other))
                proof.refuse("of clause " + std::to_string(hint) + " more than a literal is left");
            failed[negation(*unit)] = now;
        }
        proof.end_line();
        if (!conflict) proof.refuse("the hints lead to no conflict");
        if (lemma.empty()) return;
        clauses.add_lemma(last = id, lemma);
    }
    proof.refuse("the proof ends without the empty clause");
}

CheckedProof check_proof(std::istream& formula, std::istream& proof, ProofKind kind,
                         const std::vector<std::int64_t>& assumed, const ProofPulse& pulse) {
    CheckedProof done;
    const Pulse tick = [&] {
        if (pulse) pulse(done.lemmas);
    };
    Reader formula_reader(formula, "formula, ", tick);
    Reader proof_reader(proof, "", tick);
    if (kind == ProofKind::kDrup)
        check_drup(formula_reader, proof_reader, assumed, done, tick);
    else
        check_lrat(formula_reader, proof_reader, assumed, done, tick);
    return done;
}

}  // namespace exactile
