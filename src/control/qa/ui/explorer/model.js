import { pretty } from '../format.js';
import { namespacesOf, operationsOf } from './operations.js';
import { Sender, requestOf, send } from './request.js';

/** State of the page. Components draw it after each change. */
export class Model {
  constructor(window, api) {
    Object.assign(this, { window, api, sender: new Sender(window), listeners: new Set() });
    Object.assign(this, { namespaces: [], operations: new Map(), query: '', selected: null, note: '', isSending: false, isAsking: false });
    /** Whether the operation was chosen on this page, and not by the address that it was opened with. */
    this.wasChosen = false;
    /** Inputs in the form of each operation, and the last response. */
    this.forms = new Map();
  }

  set(values) {
    Object.assign(this, values);
    for (const listener of this.listeners) listener();
  }

  /** Loads the documents of the site and of the test API. */
  async load() {
    const [site, tests] = await Promise.all([this.api.call('GET', 'openapi.json?namespace=all'), this.api.call('GET', 'doc')]);
    const operations = operationsOf([
      { api: 'rest', document: site },
      { api: 'qa', document: tests },
    ]);
    this.operations = new Map(operations.map((each) => [each.id, each]));
    this.set({ namespaces: namespacesOf(operations) });
    this.select();
  }

  /** Selects the operation that the address names. */
  select() {
    const id = decodeURIComponent(this.window.location.hash.slice(1));
    this.set({ selected: this.operations.get(id) ?? null, note: '' });
  }

  formOf(operation) {
    const { body } = operation;
    return this.forms.get(operation.id) ?? { values: this.firstValues(operation), body: body ? pretty(body.first) : '' };
  }

  /** Fills in required parts of a path, so that the form can be sent. */
  firstValues({ parameters }) {
    return Object.fromEntries(
      parameters.filter(({ required, example }) => required && example !== undefined).map((each) => [each.name, String(each.example)]),
    );
  }

  /** @param values null: as at the beginning */
  fill(operation, values) {
    if (values === null) this.forms.delete(operation.id);
    else this.forms.set(operation.id, { ...this.formOf(operation), ...values });
    this.set({ note: '' });
  }

  signIn(values) {
    this.sender.change(values);
    this.set({ isAsking: false, note: '' });
  }

  async send() {
    const { selected: operation, isSending } = this;
    if (isSending) return;
    const form = this.formOf(operation);
    this.set({ isSending: true });
    const response = await send(requestOf(operation, form, this), Object.assign({}, this, { target: operation.api }));
    this.fill(operation, { response });
    this.set({ isSending: false });
  }
}
