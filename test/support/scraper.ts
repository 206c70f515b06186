import { parse, parseFragment } from 'parse5';

interface Node {
  tagName?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
  value?: string;
}

/** An element as programs that read pages find it: by tag and class names. */
export class Element {
  constructor(private readonly node: Node) {}

  attribute(wanted: string): string | null {
    return this.node.attrs?.find(({ name }) => name === wanted)?.value ?? null;
  }

  private get classes(): string[] {
    return (this.attribute('class') ?? '').split(/\s+/);
  }

  /** The text of the element, in one line. */
  get text(): string {
    const textOf = (node: Node): string => (node.value ?? '') + (node.childNodes ?? []).map(textOf).join('');
    return textOf(this.node).replace(/\s+/g, ' ').trim();
  }

  /** The elements below this one, in the order of the document. */
  private get below(): Element[] {
    return (this.node.childNodes ?? []).flatMap((child) => {
      const element = new Element(child);
      return [...(child.tagName === undefined ? [] : [element]), ...element.below];
    });
  }

  private matches(selector: string): boolean {
    const [tag, ...names] = selector.split('.');
    return (tag === '' || this.node.tagName === tag) && names.every((name) => this.classes.includes(name));
  }

  /** The elements that match `tag.name.name`, or one after another below it, separated by spaces. */
  all(selector: string): Element[] {
    const [first, ...rest] = selector.split(' ');
    const found = this.below.filter((element) => element.matches(first));
    return rest.length === 0 ? found : found.flatMap((element) => element.all(rest.join(' ')));
  }

  one(selector: string): Element | null {
    return this.all(selector).at(0) ?? null;
  }

  byId(id: string): Element | null {
    return this.below.find((element) => element.attribute('id') === id) ?? null;
  }

  /** The contents of the scripts of a type, as JSON. */
  data<Content>(type: string, name?: string): Content[] {
    const scripts = this.all('script').filter(
      (each) => each.attribute('type') === type && (name === undefined || each.attribute('data-js') === name),
    );
    return scripts.map(({ node }) => JSON.parse(node.childNodes?.[0]?.value ?? '') as Content);
  }
}

/** A page, or a part of one. */
export const documentOf = (page: string): Element => new Element((page.startsWith('<!') ? parse(page) : parseFragment(page)) as Node);
