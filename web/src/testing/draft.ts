// A draft of an entry in which nothing is typed, for tests.
import type { Draft } from '../drafts/draftStorage';

export const blankDraft: Draft = {
  vreme: 0,
  pacijentID: 1,
  vrednosti: {},
  datumUnosa: null,
  radnikOdgovoran: null,
  osnova: {},
  osnovaDatumUnosa: null,
  osnovaRadnikOdgovoran: null,
  verzija: 1,
  kljuc: null,
};
