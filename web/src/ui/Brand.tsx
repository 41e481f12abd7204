import style from './Brand.module.css';

/** The product's mark and the name that the installation gives it. */
export function Brand({ name, large }: { name: string; large?: boolean }) {
  return (
    <span className={`${style.brand ?? ''} ${large ? (style.large ?? '') : ''}`}>
      <svg viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" />
        <path d="M6 17h5l2.5-7 5 13L21 17h5" />
      </svg>
      <span>{name}</span>
    </span>
  );
}
