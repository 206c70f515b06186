import type * as yup from 'yup';

/** A test of a schema whose message says what is wrong: what `problemOf` returns for a value that is there, if it returns any. */
export const faultless = <T>(problemOf: (value: T) => string | null | undefined): yup.TestFunction<T | null | undefined> =>
  function (value) {
    const problem = value === undefined || value === null ? null : problemOf(value);
    return (problem ?? null) === null || this.createError({ message: () => problem ?? '' });
  };
