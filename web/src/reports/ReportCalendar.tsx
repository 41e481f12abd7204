// Past runs and coming fires on a calendar.
import { addDays, addMonths, endOfMonth, endOfWeek, startOfMonth, startOfWeek } from 'date-fns';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState } from 'react';
import { Calendar, type EventProps, type View } from 'react-big-calendar';
import 'react-big-calendar/lib/css/react-big-calendar.css';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { fromServer, toServerDate } from '../format';
import { t } from '../messages';
import { LoadFailed } from '../ui/states';
import { useIsNarrow } from '../ui/useIsNarrow';
import { formats, localizer, monday, mendRoles } from '../ui/bigCalendar';
import '../ui/bigCalendar.css';
import style from './reports.module.css';
import { ZONE } from './request';
import { asEvents, type CalendarEvent } from './types';

interface Props {
  report: number | null;
  open: (report: number, tab: 'generisani' | 'zakazani') => void;
}

interface Event {
  title: string;
  start: Date;
  end: Date;
  source: CalendarEvent;
}

const text = t.reports.calendar;
const messages = {
  today: text.today,
  previous: text.previous,
  next: text.next,
  month: text.month,
  week: text.week,
  day: text.dayView,
  agenda: text.agenda,
  date: text.date,
  time: text.time,
  event: text.event,
  allDay: text.allDay,
  noEventsInRange: text.empty,
};

/** The days that a view shows. */
function rangeOf(date: Date, view: View): { od: string; do: string } {
  const [from, to] =
    view === 'month'
      ? [startOfWeek(startOfMonth(date), monday), endOfWeek(endOfMonth(date), monday)]
      : view === 'agenda'
        ? [date, addMonths(date, 1)]
        : view === 'day'
          ? [date, date]
          : [startOfWeek(date, monday), endOfWeek(date, monday)];
  return { od: toServerDate(from) ?? '', do: toServerDate(addDays(to, 1)) ?? '' };
}

function stateOf(status: CalendarEvent['status']): string {
  if (status === 'scheduled') return text.coming;
  return status === 'paused' ? text.paused : t.reports.status[status].toLowerCase();
}

function eventsOf(events: readonly CalendarEvent[], report: number | null): Event[] {
  return events
    .filter(({ izvestajID }) => report === null || izvestajID === report)
    .flatMap((source) => {
      const start = fromServer(source.pocetak);
      if (!start) return [];
      return [{ title: `${source.naziv} (${stateOf(source.status)})`, start, end: fromServer(source.kraj) ?? start, source }];
    });
}

const classOf = ({ source }: Event): string => {
  switch (source.status) {
    case 'scheduled':
      return 'coming';
    case 'failed':
    case 'skipped_unauthorised':
    case 'skipped_paused':
    case 'skipped_ended':
      return 'failed';
    case 'missed':
    case 'skipped_overlap':
    case 'cancelled':
    case 'paused':
      return 'passed-over';
    default:
      return 'done';
  }
};

/** A button, so that the keyboard reaches it; the calendar around it hears the click. */
function EventTitle({ title }: EventProps<Event>) {
  return (
    <button type="button" className="event-title">
      {title}
    </button>
  );
}

const components = { event: EventTitle };

export default function ReportCalendar({ report, open }: Props) {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? (isNarrow ? 'agenda' : 'month');
  const [date, setDate] = useState(() => new Date());
  const { data, error, mutate } = useApi(at('/api/report-calendar', rangeOf(date, view)), { keepPreviousData: true });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => mendRoles(box.current, text.hours));
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />;
  return (
    <div ref={box} className={style.calendar} role="region" aria-label={text.label}>
      {data?.skraceno && <Message severity="warn" text={text.cut} />}
      <Calendar<Event>
        localizer={localizer}
        culture="sr-Latn"
        messages={messages}
        formats={formats}
        components={components}
        // A list is as high as it is long.
        style={view === 'agenda' ? { height: 'auto' } : undefined}
        events={eventsOf(data ? asEvents(data.dogadjaji) : [], report)}
        date={date}
        view={view}
        views={['month', 'week', 'agenda']}
        onNavigate={setDate}
        onView={setChosen}
        length={31}
        // A button "more" inside a row of the grid is nothing a screen reader can place.
        showAllEvents
        eventPropGetter={(event) => ({ className: classOf(event) })}
        onSelectEvent={({ source }) => open(source.izvestajID, source.vrsta === 'zakazan' ? 'zakazani' : 'generisani')}
      />
      <small className={style.muted}>{t.reports.nextZone(ZONE)}</small>
    </div>
  );
}
