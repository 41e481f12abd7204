// The order in which the parts of a long form that are not in sight are drawn.
import { startTransition } from 'react';
import { whenIdle, whenPainted } from '../../ui/whenIdle';

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
  private isOpening = true;
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
    const draw = () => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.waiting.get(target)?.();
    };
    // The first rows can be typed in before those below them are drawn.
    if (this.isOpening) whenPainted(draw);
    else draw();
    this.isOpening = false;
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
