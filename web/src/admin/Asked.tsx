// A search of the administration: what was asked last, and under the criteria what it found or, before the first one, how to begin.
import { Fragment, useState, type ReactNode } from 'react';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/states';

type Query = Record<string, string>;

interface Question {
  /** The same query asked again is another question. */
  turn: number;
  query: Query;
}

export function useQuestion() {
  const [asked, setAsked] = useState<Question | null>(null);
  return { asked, ask: (query: Query) => setAsked({ turn: (asked?.turn ?? 0) + 1, query }) };
}

interface Props {
  asked: Question | null;
  icon: string;
  start: string;
  children: (query: Query) => ReactNode;
}

export function Asked({ asked, icon, start, children }: Props) {
  if (asked) return <Fragment key={asked.turn}>{children(asked.query)}</Fragment>;
  return (
    <Panel flush>
      <EmptyState icon={icon} title={start} />
    </Panel>
  );
}
