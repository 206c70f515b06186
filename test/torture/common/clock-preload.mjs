// Loaded into a server before its own modules: the clock of its machine is off by as much as a file says at first, and when SIGUSR2 arrives.
import { readFileSync } from 'node:fs';

const file = process.env.TORTURE_CLOCK;
const read = () => Number(readFileSync(file, 'utf8'));
let offset = file ? read() : 0;
const Real = Date;

if (file) {
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [Real.now() + offset], newTarget),
    apply: () => new Real(Real.now() + offset).toString(),
    get: (target, name) => (name === 'now' ? () => Real.now() + offset : Reflect.get(target, name)),
  });
  process.on('SIGUSR2', () => (offset = read()));
}
