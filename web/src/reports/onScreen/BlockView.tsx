// One block of a report that is read on the screen.
import type { Reply } from '../../schema';
import { LinesTable } from './LinesTable';
import { ReportChart } from './ReportChart';
import { TextBlock } from './TextBlock';

interface Props {
  run: string;
  /** Among the blocks of the report. */
  place: number;
  block: Reply<'ScreenBlock'>;
  /** The run has ended: there are no more lines to come. */
  whole: boolean;
}

export function BlockView({ run, place, block, whole }: Props) {
  switch (block.vrsta) {
    case 'grafikon':
      return <ReportChart run={run} place={place} />;
    case 'tekst':
      return <TextBlock run={run} place={place} block={block} />;
    default:
      return <LinesTable run={run} place={place} block={block} whole={whole} />;
  }
}
