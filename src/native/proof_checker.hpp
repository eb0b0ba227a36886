// Checks proofs that a formula in conjunctive normal form has no solution.
//
// The formula is a DIMACS file. The proof is a text in one of two formats, one step a line:
//
//     DRUP    "1 -2 0" adds the lemma {1, -2}, "d 1 -2 0" deletes a clause. A lemma is accepted if
//             it follows by unit propagation: with all its literals false, clauses of which a
//             single literal is left, applied again and again, lead to a clause with none left.
//     LRAT    "9 1 -2 0 4 7 0" adds clause 9, the lemma {1, -2}, and lists the clauses that
//             propagation uses, in order; "9 d 3 4 0" deletes clauses 3 and 4. The clauses of the
//             formula have the numbers 1, 2, ...
//
// The proof holds if all lemmas up to the empty one, "0", are accepted and there is an empty one;
// what follows it is not read. Lines that start with "c" are comments. Lemmas that are not implied
// by the formula but only keep it satisfiable (RAT) are refused.
//
// This is all there is to trust: the checker shares no code with anything that finds proofs. It can
// write a DRUP proof as LRAT; the two checks share the reader only, so that the one of LRAT checks
// what the other wrote.

#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <istream>
#include <stdexcept>
#include <vector>

namespace exactile {

enum class ProofKind { kDrup, kLrat };

struct CheckedProof {
    std::uint64_t lemmas = 0;
    std::uint64_t deletions = 0;     // clauses deleted, not counting those that were not there
    std::uint64_t propagations = 0;  // literals that became true; with LRAT, hints used
};

// What is wrong with a proof or a formula: one sentence, starting with the line.
struct ProofRefused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Called again and again with the number of lemmas so far; may throw to stop.
using ProofPulse = std::function<void(std::uint64_t lemmas)>;

// Check a proof for the formula and, as further clauses, some literals that are assumed to be true.
// Throws ProofRefused unless the proof holds. A DRUP proof is written to `hints` as LRAT, if given.
CheckedProof check_proof(std::istream& formula, std::istream& proof, ProofKind kind,
                         const std::vector<std::int64_t>& assumed, const ProofPulse& pulse,
                         std::ostream* hints = nullptr);

}  // namespace exactile
