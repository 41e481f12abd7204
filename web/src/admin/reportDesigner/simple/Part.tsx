// A part of what is chosen, under its name, with what is wrong with it.
import { useId, type ReactNode } from 'react';
import style from './simple.module.css';

export function Part({ title, problem, children }: { title: string; problem: string | null; children: ReactNode }) {
  const id = useId();
  return (
    <section className={style.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {problem && (
        <p role="alert" className={style.problem}>
          {problem}
        </p>
      )}
    </section>
  );
}
