// python.exe, which comes with Python's installer only: all else that it would do is in the library.
#include <windows.h>

int wmain(int argc, wchar_t** argv) {
  HMODULE library = LoadLibraryW(PYTHON_DLL);
  if (!library) return 127;
  int (*run)(int, wchar_t**) = (int (*)(int, wchar_t**))(void*)GetProcAddress(library, "Py_Main");
  return run(argc, argv);
}
