// Preloaded into a server: shifts the machine's clock by the offset in a file. The file is read at the start and on SIGUSR2.
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
