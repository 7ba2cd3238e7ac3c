// What the page uses of Fluent (static/vendor/fluent).
export class FluentResource {
  constructor(text: string);
}
export class FluentBundle {
  constructor(language: string, options?: { useIsolating?: boolean });
  addResource(resource: FluentResource): Error[];
  getMessage(id: string): { value: string | { type: string; name: string }[] | null } | undefined;
  formatPattern(pattern: string | object[], values?: Record<string, string | number>): string;
}
