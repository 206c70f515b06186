interface Lock {
  packages: Record<
    string,
    {
      version?: string;
      license?: string;
      optional?: boolean;
      devOptional?: boolean;
      link?: boolean;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

interface Package {
  place: string;
  name: string;
  version: string | undefined;
  licence: string;
  use: 'installed' | 'bundled' | 'development';
  isOptional: boolean;
}

export const LICENCES_FILE: string;
export function isPermissive(licence: string): boolean;
export function packagesOf(lock: Lock): Package[];
export function unreviewed(packages: readonly Package[]): string[];
export function unexplained(
  manifest: Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>,
): string[];
export function licencesPage(lock: Lock): string;
export function readLock(): Lock;
