// What was asked last, and under the criteria what it found or, before the first one, how to begin.
import { Fragment, useState, type ReactNode } from 'react';
import { Panel } from './Panel';
import { EmptyState } from './states';

type Criteria = Record<string, string>;

interface SearchTurn {
  /** The same criteria asked again are another turn. */
  turn: number;
  query: Criteria;
}

export function useSearchTurns() {
  const [asked, setAsked] = useState<SearchTurn | null>(null);
  return { asked, ask: (query: Criteria) => setAsked({ turn: (asked?.turn ?? 0) + 1, query }) };
}

interface Props {
  asked: SearchTurn | null;
  icon: string;
  start: string;
  children: (query: Criteria) => ReactNode;
}

export function SearchOutcome({ asked, icon, start, children }: Props) {
  if (asked) return <Fragment key={asked.turn}>{children(asked.query)}</Fragment>;
  return (
    <Panel flush>
      <EmptyState icon={icon} title={start} />
    </Panel>
  );
}
