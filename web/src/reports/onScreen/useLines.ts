// The lines of one table as the reader comes to them, a page at a time; those that she has seen are kept for as long as she is there.
import { useCallback, useRef, useState } from 'react';
import { at } from '../../api/address';
import { api } from '../../api/client';
import type { ScreenLine } from './visible';

/** As many lie together on the server. */
export const LINES_OF_PAGE = 100;
/** Pages that are kept: of more the oldest go. */
const MOST_PAGES = 60;

type Pages = ReadonlyMap<number, readonly ScreenLine[]>;

const NONE: Pages = new Map();

interface Lines {
  lineAt: (line: number) => ScreenLine | undefined;
  /** Asks for the pages of these lines that are not there. */
  want: (from: number, to: number) => void;
  error: unknown;
  retry: () => void;
}

function withPage(pages: Pages, page: number, lines: readonly ScreenLine[]): Pages {
  const next = new Map(pages).set(page, lines);
  const oldest = next.keys().next().value;
  if (next.size > MOST_PAGES && oldest !== undefined) next.delete(oldest);
  return next;
}

/** `version` is another one when the lines are others: those of a run under way, and those of its end. */
export function useLines(run: string, block: number, version: string): Lines {
  const source = `${run} ${String(block)} ${version}`;
  const asked = useRef(new Set<string>());
  const [loaded, setLoaded] = useState<{ source: string; pages: Pages }>({ source, pages: NONE });
  const [error, setError] = useState<unknown>(null);
  const pages = loaded.source === source ? loaded.pages : NONE;

  const want = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / LINES_OF_PAGE); page * LINES_OF_PAGE < to; page += 1) {
        const mark = `${source} ${String(page)}`;
        if (pages.has(page) || asked.current.has(mark)) continue;
        asked.current.add(mark);
        const od = page * LINES_OF_PAGE;
        api
          .get(at('/api/report-runs/{id}/screen/lines', { id: run, blok: block, od, broj: LINES_OF_PAGE }))
          .then(({ linije }) => {
            setLoaded((known) => ({ source, pages: withPage(known.source === source ? known.pages : NONE, page, linije) }));
            setError(null);
          })
          .catch((failure: unknown) => setError(failure))
          .finally(() => asked.current.delete(mark));
      }
    },
    [run, block, source, pages],
  );

  const lineAt = useCallback((line: number) => pages.get(Math.floor(line / LINES_OF_PAGE))?.[line % LINES_OF_PAGE], [pages]);
  // Pages anew, the same ones: what is not among them is asked for again.
  const retry = useCallback(() => {
    setError(null);
    setLoaded((known) => ({ ...known, pages: new Map(known.pages) }));
  }, []);
  return { lineAt, want, error, retry };
}
