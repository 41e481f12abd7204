// A table of a report: its head stays in view, its groups fold, and of its rows those in sight are there, however many it has. On a narrow
// screen each row is a card whose values carry their heads.
import { Button } from 'primereact/button';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../format';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { LoadFailed } from '../../ui/states';
import { MethodHelp, methodOf } from '../MethodHelp';
import { CountedNumber } from './CountedNumber';
import style from './onScreen.module.css';
import { useLines } from './useLines';
import {
  countOf,
  rowAt,
  ROWS_OF_PART,
  segmentsOf,
  widthsOf,
  windowOf,
  type ScreenGroup,
  type ScreenLine,
  type Segment,
  type VisibleRow,
} from './visible';

type Block = Reply<'ScreenBlock'>;

interface Props {
  run: string;
  place: number;
  block: Block;
  /** The run has ended: there are no more lines to come. */
  whole: boolean;
}

export function LinesTable({ run, place, block, whole }: Props) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const { lineAt, want, error, retry } = useLines(run, place, whole ? 'ceo' : 'početak');
  const segments = useMemo(() => segmentsOf(block.linija, block.grupe, folded), [block, folded]);
  const headers = useMemo(() => new Map(block.grupe.map(({ od }, group) => [od, group])), [block]);
  const rows = countOf(segments);

  const toggle = (group: number) =>
    setFolded((known) => {
      const next = new Set(known);
      if (!next.delete(group)) next.add(group);
      return next;
    });
  const method = methodOf(block.metoda);
  const name = block.naslov ? t.reportView.tableOf(block.naslov) : t.reportView.table;

  return (
    <div className={style.block} data-statistics={block.statistika}>
      {block.naslov && (
        <div className={style.blockTitle}>
          <h2>{block.naslov}</h2>
          {method && <MethodHelp name={block.naslov} methods={[method]} />}
        </div>
      )}
      {block.grupe.length > 0 && (
        <div className={style.folding}>
          <Button
            text
            size="small"
            icon="pi pi-angle-double-up"
            label={t.reportView.foldAll}
            onClick={() => setFolded(new Set(block.grupe.keys()))}
          />
          <Button text size="small" icon="pi pi-angle-double-down" label={t.reportView.unfoldAll} onClick={() => setFolded(new Set())} />
        </div>
      )}
      {block.bezSklapanja && <p className={style.muted}>{t.reportView.tooManyGroups}</p>}
      {rows === 0 ? (
        <p className={style.muted}>{t.reportView.noRows}</p>
      ) : (
        <Scrolled {...{ block, name, rows, segments, headers, folded, toggle, lineAt, want }} />
      )}
      {error !== null && <LoadFailed error={error} retry={retry} title={t.reportView.linesFailed} />}
      {rows > ROWS_OF_PART && <p className={style.muted}>{t.reportView.rows(rows, formatNumber(rows))}</p>}
      {block.napomene.map((note) => (
        <p key={note} className={style.note}>
          {note}
        </p>
      ))}
    </div>
  );
}

interface ScrolledProps {
  block: Block;
  name: string;
  rows: number;
  segments: readonly Segment[];
  headers: ReadonlyMap<number, number>;
  folded: ReadonlySet<number>;
  toggle: (group: number) => void;
  lineAt: (line: number) => ScreenLine | undefined;
  want: (from: number, to: number) => void;
}

function Scrolled({ block, name, rows, segments, headers, folded, toggle, lineAt, want }: ScrolledProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 600 });
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  const shown = windowOf(rows, heights, sight.top, sight.height);
  const [first, last] = [shown.from * ROWS_OF_PART, Math.min(shown.to * ROWS_OF_PART, rows)];
  const columns = block.kolone;

  // What is in sight and not here is asked for.
  useEffect(() => {
    for (let index = first; index < last; index += 1) {
      const row = rowAt(segments, index, headers);
      if (row?.kind === 'line' && !lineAt(row.line)) want(row.line, row.line + 1);
    }
  }, [first, last, segments, headers, lineAt, want]);

  // Other rows have other heights.
  const [measured, setMeasured] = useState(segments);
  if (measured !== segments) {
    setMeasured(segments);
    setHeights(new Map());
  }

  // What is drawn says how high it is, also when its lines come.
  useEffect(() => {
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver((entries) => {
      setHeights((known) => {
        const found = new Map(known);
        for (const { target } of entries) {
          const { height } = target.getBoundingClientRect();
          if (height > 0) found.set(Number((target as HTMLElement).dataset.part), height);
        }
        return found;
      });
    });
    frame.current?.querySelectorAll('tbody[data-part]').forEach((part) => observer.observe(part));
    return () => observer.disconnect();
  }, [first, last, segments]);

  // The widths are those of the first lines, so that columns stay where they are while others come.
  const sample = useMemo(
    () => Array.from({ length: Math.min(60, block.linija) }, (_, line) => lineAt(line)).filter((line) => line !== undefined),
    [block.linija, lineAt],
  );
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  if (widths === null && sample.length > 0)
    setWidths(
      widthsOf(
        columns.map(({ naslov }) => naslov),
        sample,
      ),
    );
  const total = (widths ?? columns.map(() => 12)).reduce((sum, width) => sum + width, 0);

  const parts = Array.from({ length: shown.to - shown.from }, (_, offset) => shown.from + offset);
  return (
    <div
      ref={frame}
      className={style.frame}
      // It scrolls, by the keyboard too.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label={name}
      onScroll={({ currentTarget }) => setSight({ top: currentTarget.scrollTop, height: currentTarget.clientHeight || 600 })}
    >
      <table className={style.lines} aria-rowcount={rows + 1} style={{ minWidth: `${String(total)}ch` }}>
        <colgroup>
          {columns.map((_, column) => (
            <col key={column} style={{ width: `${String(((widths?.[column] ?? 12) / total) * 100)}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ naslov, desno, pretraga }, column) =>
              naslov ? (
                <th key={column} scope="col" data-right={desno}>
                  <CountedNumber shown={naslov} search={pretraga ?? undefined} />
                </th>
              ) : (
                <td key={column} />
              ),
            )}
          </tr>
        </thead>
        <Room height={shown.above} columns={columns.length} />
        {parts.map((part) => (
          <tbody key={part} data-part={part}>
            {Array.from({ length: Math.min(ROWS_OF_PART, rows - part * ROWS_OF_PART) }, (_, offset) => {
              const index = part * ROWS_OF_PART + offset;
              const row = rowAt(segments, index, headers);
              return row && <Row key={index} {...{ row, index, block, folded, toggle, lineAt }} />;
            })}
          </tbody>
        ))}
        <Room height={shown.below} columns={columns.length} />
      </table>
    </div>
  );
}

/** In the place of rows that are not drawn. */
function Room({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden>
      <tr style={{ height }}>
        <td colSpan={columns} className={style.room} />
      </tr>
    </tbody>
  );
}

interface RowProps {
  row: VisibleRow;
  index: number;
  block: Block;
  folded: ReadonlySet<number>;
  toggle: (group: number) => void;
  lineAt: (line: number) => ScreenLine | undefined;
}

function Row({ row, index, block, folded, toggle, lineAt }: RowProps) {
  const at = { 'aria-rowindex': index + 2 };
  if (row.kind === 'folded' || row.group !== null) {
    const group = block.grupe[row.group ?? 0];
    if (!group) return null;
    if (row.kind === 'folded' && row.part === 'total') return group.zbir && <TotalRow at={at} line={group.zbir} block={block} />;
    return <GroupRow at={at} group={group} block={block} open={!folded.has(row.group ?? 0)} toggle={() => toggle(row.group ?? 0)} />;
  }
  const line = lineAt(row.line);
  if (!line)
    return (
      <tr {...at} className={style.waiting}>
        <td colSpan={block.kolone.length}>{t.common.loading}</td>
      </tr>
    );
  return <LineRow at={at} line={line} block={block} leads />;
}

interface LineProps {
  at: { 'aria-rowindex': number };
  line: ScreenLine;
  block: Block;
  /** Its numbers lead to the search: not where nobody is signed in. */
  leads?: boolean;
}

/** What stands in a cell. */
function Cell({ line, column, leads }: Pick<LineProps, 'line' | 'leads'> & { column: number }) {
  const shown = line.celije[column];
  return leads ? <CountedNumber shown={shown} search={line.pretrage.find(({ kolona }) => kolona === column)?.pretraga} /> : shown;
}

/** A line as it is, where nothing folds. */
export function LineRow({ at, line, block, leads }: LineProps) {
  switch (line.vrsta) {
    case 'grupa':
      return (
        <tr {...at} className={style.group} data-level={line.nivo}>
          <th scope="colgroup" colSpan={block.kolone.length}>
            {line.tekst}
          </th>
        </tr>
      );
    case 'zbir':
    case 'ukupno':
      return <TotalRow at={at} line={line} block={block} leads={leads} />;
    default:
      return (
        <tr {...at}>
          {block.kolone.map(({ naslov, desno }, column) => (
            <td key={column} data-label={naslov} data-right={desno} data-emphasis={line.istaknuto.includes(column)}>
              {line.istaknuto.includes(column) && <span className="sr-only">{t.reportView.emphasised} </span>}
              <Cell line={line} column={column} leads={leads} />
            </td>
          ))}
        </tr>
      );
  }
}

interface GroupProps {
  at: { 'aria-rowindex': number };
  group: ScreenGroup;
  block: Block;
  open: boolean;
  toggle: () => void;
}

function GroupRow({ at, group, block, open, toggle }: GroupProps) {
  return (
    <tr {...at} className={style.group} data-level={group.nivo}>
      <th scope="colgroup" colSpan={block.kolone.length}>
        <button type="button" className={style.fold} aria-expanded={open} onClick={toggle}>
          <span className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden /> {group.tekst}
        </button>
      </th>
    </tr>
  );
}

/** Its label stands over the columns in front of the first total. */
function TotalRow({ at, line, block, leads }: LineProps) {
  const firstTotal = line.celije.findIndex((cell) => cell !== '');
  const span = firstTotal < 0 ? block.kolone.length : firstTotal;
  return (
    <tr {...at} className={style.total} data-whole={line.vrsta === 'ukupno'} data-level={line.nivo}>
      {span > 0 &&
        (line.tekst ? (
          <th scope="row" colSpan={span}>
            {line.tekst}
          </th>
        ) : (
          <td colSpan={span} />
        ))}
      {block.kolone.map(({ naslov, desno }, column) =>
        column < span ? null : (
          <td key={column} data-label={naslov} data-right={desno}>
            {span === 0 && column === 0 && line.tekst && <span>{line.tekst} </span>}
            <Cell line={line} column={column} leads={leads} />
          </td>
        ),
      )}
    </tr>
  );
}
