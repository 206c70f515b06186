/** The fields of a form that are not empty, by name. */
const fieldsOf = (form) =>
  Object.fromEntries([...form.elements].filter(({ name, value }) => name && value !== '').map(({ name, value }) => [name, value]));

/** Calls a function with the fields instead of submitting a form. */
export const submitting = (handler) => (event) => {
  event.preventDefault();
  return handler(fieldsOf(event.currentTarget), event.currentTarget);
};
