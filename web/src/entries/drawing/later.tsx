// Parts of a long form that are not in sight: drawn bit by bit while nobody types, or at once when they are scrolled to or wanted.
// What lies in a closed tab or panel stays in the document, so that the browser's search finds it there and opens it.
import {
  createContext,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type HTMLAttributes,
  type ReactNode,
} from 'react';
import { whenIdle } from '../../ui/whenIdle';
import style from './entry.module.css';
import { useForm } from './form';

/** How long the queue waits at the beginning, and after a keystroke before it draws on. */
const QUIET = 400;
/** How near to the window a part is drawn at once. */
const NEAR = '600px 0px';

/** Draws what was put into it, one after the other, each when the browser has nothing else to do; at once what comes into sight. */
export class DrawingQueue {
  private readonly waiting = new Map<Element, () => void>();
  private readonly sight =
    'IntersectionObserver' in window ? new IntersectionObserver((seen) => this.saw(seen), { rootMargin: NEAR }) : null;
  private planned = false;
  private quietUntil = performance.now() + QUIET;

  /** `place` stands where it will be drawn. */
  readonly add = (place: Element, draw: () => void): (() => void) => {
    this.waiting.set(place, draw);
    this.sight?.observe(place);
    this.plan();
    return () => {
      this.waiting.delete(place);
      this.sight?.unobserve(place);
    };
  };

  private saw(seen: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of seen) if (isIntersecting) this.waiting.get(target)?.();
  }

  /** Somebody types: that comes first. */
  readonly rest = (): void => {
    this.quietUntil = performance.now() + QUIET;
  };

  private plan(): void {
    if (this.planned || this.waiting.size === 0) return;
    this.planned = true;
    const wait = this.quietUntil - performance.now();
    if (wait > 0) setTimeout(() => this.again(), wait);
    else whenIdle(() => this.next());
  }

  private again(): void {
    this.planned = false;
    this.plan();
  }

  private next(): void {
    if (performance.now() >= this.quietUntil) {
      const [first] = this.waiting;
      if (first) {
        const [place, draw] = first;
        this.waiting.delete(place);
        startTransition(draw);
      }
    }
    this.again();
  }
}

interface LaterProps {
  /** Draw it at once. */
  now: boolean;
  /** Its height in rows of fields until it is drawn; 0 takes no room. */
  rows: number;
  children: ReactNode;
}

export function Later({ now, rows, children }: LaterProps) {
  const { queue } = useForm();
  const [drawn, setDrawn] = useState(now);
  const place = useRef<HTMLDivElement>(null);
  if (now && !drawn) setDrawn(true);
  useEffect(() => (!drawn && place.current ? queue.add(place.current, () => setDrawn(true)) : undefined), [drawn, queue]);
  return drawn ? children : <div ref={place} className={style.later} hidden={rows === 0} style={{ '--rows': rows } as CSSProperties} />;
}

/** Whether what lies around is in sight: not in a closed tab. */
export const SightContext = createContext(true);

interface FoldProps extends HTMLAttributes<HTMLDivElement> {
  open: boolean;
  /** The browser's search has found something inside. */
  onFound: () => void;
}

/** Closed, its content takes no room and cannot be reached, but the browser's search looks into it. */
export function Fold({ open, onFound, ...attributes }: FoldProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) box.current?.removeAttribute('hidden');
    else box.current?.setAttribute('hidden', 'until-found');
  }, [open]);
  useEffect(() => {
    const element = box.current;
    element?.addEventListener('beforematch', onFound);
    return () => element?.removeEventListener('beforematch', onFound);
  }, [onFound]);
  return <div ref={box} {...attributes} />;
}
