// More tabs than there is room for: an arrow at the end where some are out of sight, which brings them into it.
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import style from './entry.module.css';

export function useScrolling(strip: RefObject<HTMLElement | null>) {
  const [ends, setEnds] = useState({ canBack: false, canOn: false });
  const look = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = strip.current ?? {};
    const next = { canBack: scrollLeft > 1, canOn: scrollLeft + clientWidth < scrollWidth - 1 };
    setEnds((now) => (now.canBack === next.canBack && now.canOn === next.canOn ? now : next));
  };
  const resized = useEffectEvent(look);
  useEffect(() => {
    const element = strip.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => resized());
    observer.observe(element);
    return () => observer.disconnect();
  }, [strip]);
  const by = (part: number) => strip.current?.scrollBy({ left: part * strip.current.clientWidth, behavior: 'smooth' });
  return { ...ends, look, back: () => by(-0.8), on: () => by(0.8) };
}

/** For the mouse and the finger; the keyboard goes from tab to tab. */
export const StripArrow = ({ label, icon, onPress }: { label: string; icon: string; onPress: () => void }) => (
  <button type="button" className={style.more} tabIndex={-1} aria-label={label} title={label} onClick={onPress}>
    <span className={`pi ${icon}`} aria-hidden />
  </button>
);
