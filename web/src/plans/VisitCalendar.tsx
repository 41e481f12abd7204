// Visits of a month by their targets: a count a day, which opens the day's list.
import { endOfMonth, endOfWeek, startOfMonth, startOfWeek } from 'date-fns';
import { useEffect, useRef, useState } from 'react';
import { Calendar, type EventProps } from 'react-big-calendar';
import 'react-big-calendar/lib/css/react-big-calendar.css';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { fromServer, toServerDate } from '../format';
import { t } from '../messages';
import { formats, localizer, mendRoles, monday } from '../ui/bigCalendar';
import '../ui/bigCalendar.css';
import { LoadFailed } from '../ui/states';
import style from './plans.module.css';

const text = t.plans.awaited;
const words = t.reports.calendar;
const messages = { today: words.today, previous: words.previous, next: words.next, month: words.month };

interface DayEvent {
  title: string;
  start: Date;
  end: Date;
  day: string;
}

/** A button, so that the keyboard reaches it; the calendar around it hears the click. */
function EventTitle({ title }: EventProps<DayEvent>) {
  return (
    <button type="button" className="event-title">
      {title}
    </button>
  );
}

const components = { event: EventTitle };

interface Props {
  register: number | null;
  doctor: number | null;
  open: (day: string) => void;
}

export default function VisitCalendar({ register, doctor, open }: Props) {
  const [date, setDate] = useState(() => new Date());
  const from = toServerDate(startOfWeek(startOfMonth(date), monday)) ?? '';
  const until = toServerDate(endOfWeek(endOfMonth(date), monday)) ?? '';
  const { data, error, mutate } = useApi(
    at('/api/planned-visit-calendar', { od: from, do: until, registarID: register, radnikID: doctor }),
    { keepPreviousData: true },
  );
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => mendRoles(box.current, words.hours));
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />;
  const events = (data?.data ?? []).flatMap(({ dan, broj }) => {
    const start = fromServer(dan);
    return start ? [{ title: text.visits(broj), start, end: start, day: dan }] : [];
  });
  return (
    <div ref={box} className={style.calendar} role="region" aria-label={text.calendar}>
      <Calendar<DayEvent>
        localizer={localizer}
        culture="sr-Latn"
        messages={messages}
        formats={formats}
        components={components}
        events={events}
        date={date}
        view="month"
        views={['month']}
        onNavigate={setDate}
        onView={() => undefined}
        showAllEvents
        onSelectEvent={({ day }) => open(day)}
      />
    </div>
  );
}
