// Parts of a long form that are not in sight: drawn bit by bit while nobody types, or at once when they are scrolled to or wanted.
// What lies in a closed tab or panel stays in the document, so that the browser's search finds it there and opens it.
import {
  createContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type HTMLAttributes,
  type ReactNode,
} from 'react';
import style from './entry.module.css';
import { useOpenEntry } from './form';

/** Whether a part is drawn already, and where to put what keeps its place until then. */
export function useLater<E extends Element>(now: boolean) {
  const { queue } = useOpenEntry();
  const [drawn, setDrawn] = useState(now);
  const place = useRef<E>(null);
  if (now && !drawn) setDrawn(true);
  useEffect(() => (!drawn && place.current ? queue.add(place.current, () => setDrawn(true)) : undefined), [drawn, queue]);
  return { drawn, place };
}

interface LaterProps {
  /** Draw it at once. */
  now: boolean;
  /** Its height in rows of fields until it is drawn; 0 takes no room. */
  rows: number;
  children: ReactNode;
}

export function Later({ now, rows, children }: LaterProps) {
  const { drawn, place } = useLater<HTMLDivElement>(now);
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
