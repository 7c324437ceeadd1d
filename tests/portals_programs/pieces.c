/* Memory in pieces, at both ends, with offsets in the middle of them; and payloads from nothing to
 * a megabyte in one piece. Rank 0 writes to rank 1 and reads it back. */
#include "checked.h"

enum { kPieces = 37, kLarge = 1 << 20 };

static unsigned char gaps[2][kPieces][64], *large, *copy;

/* Piece i has i + 1 bytes: 703 in all. */
static void describe(ptl_iovec_t* pieces, unsigned char (*memory)[64]) {
  for (int i = 0; i < kPieces; ++i) {
    pieces[i].iov_base = memory[i] + 5;
    pieces[i].iov_len = (ptl_size_t)i + 1;
  }
}

static int piece_is(unsigned char (*memory)[64], int i, size_t from) {
  return memory[i][4] == 0 && is_filled(memory[i] + 5, (size_t)i + 1, from, 9) &&
         memory[i][5 + i + 1] == 0;
}

static void pieces_of(const struct Side* side, ptl_iovec_t* ours, ptl_iovec_t* theirs) {
  const ptl_size_t total = kPieces * (kPieces + 1) / 2;
  static unsigned char plain[1024];
  fill(plain, sizeof plain, 9);
  const ptl_handle_md_t from =
      bind(side, plain, sizeof plain, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  const ptl_handle_md_t into = bind(side, ours, kPieces, PTL_IOVEC, PTL_CT_NONE);
  const ptl_handle_md_t again =
      bind(side, theirs, kPieces, PTL_IOVEC | PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  /* In two parts that meet within a piece. */
  OK(PtlPut(from, 0, 300, PTL_ACK_REQ, rank_id(1), side->portal, 1, 0, NULL, 0));
  next(side, PTL_EVENT_ACK);
  OK(PtlPut(from, 300, total - 300, PTL_ACK_REQ, rank_id(1), side->portal, 1, 300, NULL, 0));
  IS(next(side, PTL_EVENT_ACK).mlength, total - 300);
  OK(PtlGet(into, 0, 300, rank_id(1), side->portal, 1, 0, NULL));
  next(side, PTL_EVENT_REPLY);
  OK(PtlGet(into, 300, total - 300, rank_id(1), side->portal, 1, 300, NULL));
  next(side, PTL_EVENT_REPLY);
  size_t begin = 0;
  for (int i = 0; i < kPieces; begin += (size_t)++i) IS(piece_is(gaps[0], i, begin), 1);
  /* From pieces to pieces, over itself. */
  OK(PtlPut(again, 0, total, PTL_ACK_REQ, rank_id(1), side->portal, 1, 0, NULL, 0));
  next(side, PTL_EVENT_ACK);
}

static void sizes(const struct Side* side) {
  const ptl_handle_md_t md = bind(side, large, kLarge, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  const ptl_handle_md_t back = bind(side, copy, kLarge, 0, PTL_CT_NONE);
  fill(large, kLarge, 1);
  for (size_t size = 0; size <= kLarge; size = size == 0 ? 1 : 4 * size) {
    memset(copy, 0, kLarge);
    OK(PtlPut(md, kLarge - size, size, PTL_ACK_REQ, rank_id(1), side->portal, 2, 0, NULL, 0));
    IS(next(side, PTL_EVENT_ACK).mlength, size);
    OK(PtlGet(back, 0, size, rank_id(1), side->portal, 2, 0, NULL));
    IS(next(side, PTL_EVENT_REPLY).mlength, size);
    IS(is_filled(copy, size, kLarge - size, 1), 1);
  }
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  ptl_iovec_t ours[kPieces], theirs[kPieces];
  large = calloc(1, kLarge);
  copy = calloc(1, kLarge);
  describe(ours, gaps[0]);
  describe(theirs, gaps[1]);
  const unsigned options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE;
  if (side.rank == 1) {
    append(&side, entry_of(theirs, kPieces, options | PTL_IOVEC, 1), NULL);
    append(&side, entry_of(large, kLarge, options, 2), NULL);
    heddle_barrier();
    heddle_barrier();
    for (int i = 0; i < kPieces; ++i) IS(gaps[1][i][5 + i + 1], 0);
  } else {
    pieces_of(&side, ours, theirs);
    sizes(&side);
    heddle_barrier();
  }
  free(large);
  free(copy);
  return finish(&side);
}
