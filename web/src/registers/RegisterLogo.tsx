import { useState } from 'react';
import type { Schema } from '../schema';
import style from './registers.module.css';

/** The register's logo under the installation's path prefix; its first letter where there is none. */
export function RegisterLogo({ register, prefix }: { register: Schema<'Register'>; prefix: string | null | undefined }) {
  const [broken, setBroken] = useState(false);
  const path = register.logoPutanja && `${prefix ?? ''}${register.logoPutanja}`;
  return path && !broken ? (
    <img src={path} alt="" className={style.logo} onError={() => setBroken(true)} />
  ) : (
    <span className={style.letter} aria-hidden>
      {register.naziv.charAt(0).toLocaleUpperCase('sr-Latn-RS')}
    </span>
  );
}
