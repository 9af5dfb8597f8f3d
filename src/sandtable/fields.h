#pragma once
// How compiled modules read the fields of structs, which is most of what they ask of Python.
//
// mypyc asks for every attribute of a class that it did not compile by name: the class is looked through, then the
// descriptor of the field is called, which reads it. Python's own interpreter remembers at each place in the code where
// the field lay the last time, and so do we. What is remembered holds while name and class are the same and nobody has
// changed the class, which its version tells; everything else goes the usual way. Where the compiler is another one
// than gcc or clang, or Python one that was never tried, all of it does.

#if defined(__GNUC__) && __has_include(<CPy.h>)
#include <CPy.h>
#endif

#if defined(CPyObject_GetAttr) && !defined(Py_GIL_DISABLED) && PY_VERSION_HEX < 0x030E0000
#include <structmember.h>

// What one place in the code remembers of the attribute that it read last.
typedef struct {
    PyObject *name;        // our own reference, or another name could come to the same address
    unsigned int version;  // of the class; no two classes ever have the same, 0 is none
    Py_ssize_t offset;     // of the field in its struct, 0 for what is no field
} FieldMemory;

static __attribute__((unused)) void Field_Remember(PyTypeObject *type, PyObject *name, FieldMemory *memory) {
    PyObject *found = _PyType_Lookup(type, name);  // gives the class a version if it has none
    int is_field = found != NULL && Py_IS_TYPE(found, &PyMemberDescr_Type);
    PyMemberDef *field = is_field ? ((PyMemberDescrObject *)found)->d_member : NULL;
    memory->version = type->tp_version_tag;
    memory->offset = memory->version && field != NULL && field->type == T_OBJECT_EX ? field->offset : 0;
    Py_INCREF(name);
    Py_XSETREF(memory->name, name);
}

static __attribute__((unused, noinline)) PyObject *Field_Ask(PyObject *object, PyObject *name, FieldMemory *memory) {
    PyTypeObject *type = Py_TYPE(object);
    int is_known = memory->version == type->tp_version_tag && memory->name == name;
    if (!is_known && type->tp_getattro == PyObject_GenericGetAttr) Field_Remember(type, name, memory);
    return PyObject_GetAttr(object, name);
}

static inline __attribute__((unused, always_inline)) PyObject *Field_Read(
    PyObject *object, PyObject *name, FieldMemory *memory
) {
    int is_known = memory->version == Py_TYPE(object)->tp_version_tag && memory->name == name;
    if (__builtin_expect(is_known && memory->offset, 1)) {
        PyObject *value = *(PyObject **)((char *)object + memory->offset);
        if (__builtin_expect(value != NULL, 1)) {
            Py_INCREF(value);
            return value;
        }
    }
    return Field_Ask(object, name, memory);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(object, name)               \
    ({                                                \
        static FieldMemory field_memory;              \
        Field_Read((object), (name), &field_memory);  \
    })
#endif
